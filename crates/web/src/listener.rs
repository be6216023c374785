//! A listener with limits: so many connections at once, and those that stay silent are closed. Without it, sockets that
//! are opened and left would take the place of others.

use std::future::Future;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// Listens for connections.
pub struct LimitedListener {
    listener: TcpListener,
    room: Arc<Semaphore>,
    /// Those who say nothing for so long have gone. Open pages answer a ping more often.
    silence: Duration,
}

impl LimitedListener {
    /// Room for so many connections.
    pub fn new(listener: TcpListener, room: usize, silence: Duration) -> LimitedListener {
        LimitedListener { listener, room: Arc::new(Semaphore::new(room)), silence }
    }
}

impl Listener for LimitedListener {
    type Io = TimedStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TimedStream, SocketAddr) {
        loop {
            // Nobody closes the semaphore.
            let Ok(place) = Arc::clone(&self.room).acquire_owned().await else { continue };
            match self.listener.accept().await {
                Ok((stream, from)) => {
                    // Small messages are sent at once.
                    let _ = stream.set_nodelay(true);
                    let (silence, until) = (self.silence, Box::pin(sleep(self.silence)));
                    return (TimedStream { stream, silence, until, _place: place }, from);
                }
                // Too many open files, for example: it passes.
                Err(_) => sleep(Duration::from_millis(100)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends when nothing comes for too long.
pub struct TimedStream {
    stream: TcpStream,
    silence: Duration,
    until: Pin<Box<Sleep>>,
    _place: OwnedSemaphorePermit,
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Poll::Ready(done) = Pin::new(&mut self.stream).poll_read(context, buffer) {
            let again = Instant::now() + self.silence;
            self.until.as_mut().reset(again);
            return Poll::Ready(done);
        }
        match self.until.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
