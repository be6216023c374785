"""Learns Harie's network from judged positions and game records."""
