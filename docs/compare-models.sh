#!/usr/bin/env bash
# The published comparison of pattern families and ways of learning, on your games, as a table in
# Markdown: N5, N7, N9 and CP by counting, MM, the gradient method (also weighted, CP2; before and
# after calibration) and likelihood, all with the features of the tree, on 9x9 and 19x19.
#
#   docs/compare-models.sh DATA RESULTS [JOBS] > table.md
#
# DATA holds games9/train*.sgf.gz and test.sgf.gz, and games19 likewise; RESULTS is a folder for the
# models and measures, in which finished parts are kept and not done again.
set -euo pipefail
data=$1 results=$2 jobs=${3:-2}
harie=${HARIE:-harie}
games9=${GAMES9:-6000} games19=${GAMES19:-1000}
mkdir -p "$results"
export harie data results games9 games19

learn() { # size family method
    local size=$1 family=$2 method=$3 name=$1-$2-$3 games
    games=$([ "$size" = 9 ] && echo "$games9" || echo "$games19")
    [ -s "$results/$name-plain.json" ] && return
    "$harie" train "$data/games$size"/train* --size "$size" --games "$games" --family "$family" \
        --method "$method" --threads 1 -o "$results/$name.model" >"$results/$name.txt" 2>&1
    # First with the filter exponent of the model, then without.
    test_model "$size" "$name" "$name"
    test_model "$size" "$name" "$name-plain" --filter 1
}

test_model() { # size, model, result, options
    "$harie" train --test "$data/games$1/test.sgf.gz" --model "$results/$2.model" "${@:4}" \
        --threads 1 --json >"$results/$3.tmp"
    mv "$results/$3.tmp" "$results/$3.json"
}
export -f learn test_model

for size in 19 9; do
    for method in mm gradient likelihood count; do
        for family in n9 cp n7 n5; do echo "$size $family $method"; done
    done
    echo "$size cp cp2"
done | xargs -P "$jobs" -L 1 bash -c 'learn "$@"' _

row() { # file, label
    awk -v label="$2" '
        /"matches"/ { inside = 1; n = 0; next }
        inside && /\]/ { inside = 0 }
        inside { gsub(/[ ,]/, ""); n++; m[n] = $0 }
        /"over": / { what = "over" }
        /"not": / { what = "not" }
        what != "" && /^ *[0-9]+,?$/ { share = $1 + 0; next }
        what != "" && /^ *0?\.?[0-9.e-]+,?$/ { value[what share] = $1 + 0 }
        /"phases"/ { what = "" }
        match($0, /"[a-z_]+": -?[0-9.e-]+/) {
            split(substr($0, RSTART, RLENGTH), pair, /": /)
            value[substr(pair[1], 2)] = pair[2] + 0
        }
        END {
            last = m[n]
            printf "| %s | %.2f | %.3f | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f | %.3f | %.4f |\n",
                label, value["rank"], value["rank_inverse"], m[1], m[10], (n >= 20 ? m[20] : last),
                value["co_match"], value["select"], value["select_root"], value["over5"],
                value["over20"], value["not30"], value["not70"], value["error"],
                value["log_likelihood"], value["miscalibration"]
        }' "$1"
}

for size in 9 19; do
    games=$([ $size = 9 ] && echo "$games9" || echo "$games19")
    echo
    echo "## ${size}x${size}, learned from $games games"
    echo
    echo "| model | Rank | RankInv | Match1 | Match10 | Match20 | CoMatch | Select | SelectRoot | Over5 | Over20 | Not30 | Not70 | Error | MLE | miscalibration |"
    echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for family in n5 n7 n9 cp; do
        label=$(tr a-z A-Z <<<"$family")
        row "$results/$size-$family-count.json" "$label counting"
        row "$results/$size-$family-mm.json" "$label MM"
        row "$results/$size-$family-gradient-plain.json" "$label gradient"
        row "$results/$size-$family-gradient.json" "$label gradient, calibrated"
        row "$results/$size-$family-likelihood.json" "$label likelihood"
    done
    row "$results/$size-cp-cp2-plain.json" "CP2 gradient"
    row "$results/$size-cp-cp2.json" "CP2 gradient, calibrated"
done
