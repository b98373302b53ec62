# What .ci/run and .ci/nightly share. Source it in a script that is run by bash.
set -euo pipefail
shopt -s globstar
exec </dev/null
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly staticcheck_version=v0.8.2 # 2026.2.2, reads Go 1.26
readonly apidiff=golang.org/x/exp/cmd/apidiff@v0.0.0-20261113113407-e3970619a1a4
readonly ratelimit=github.com/envoyproxy/ratelimit/src/service_cmd@v1.4.1-0.20260122083618-3fb702589d36

work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
PATH=$PATH:$work:/usr/sbin # where servers are

step() { printf '\n== %s  (after %d s)\n' "$1" "$SECONDS"; }
fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# tree is what differs from the last commit; nothing outside a git checkout.
tree() {
    [ -e .git ] || return 0
    git -c safe.directory="$PWD" status --porcelain
    git -c safe.directory="$PWD" diff
}

# begin notes the tree, which end compares.
begin() {
    before=$(tree)
    if [ -n "${CI:-}" ] && [ -n "$before" ]; then
        fail "the checkout has changes before anything ran:"$'\n'"$before"
    fi
    go version
}

end() {
    step "the tree is as it was"
    local after
    after=$(tree)
    [ "$after" = "$before" ] || fail "the checks changed the tree:"$'\n'"$(diff <(echo "$before") <(echo "$after") || true)"
    printf '\nall checks passed in %d s\n' "$SECONDS"
}

# install brings a program by its Debian package where it is missing.
install() {
    local program=$1 package=$2
    command -v "$program" >/dev/null && return
    command -v apt-get >/dev/null || fail "$program is missing, and there is no apt-get to install it with"
    local as=()
    if [ "$(id -u)" -ne 0 ]; then
        as=(sudo -n)
    fi
    if [ ! -e "$work/updated" ]; then
        "${as[@]}" apt-get update -qq
        touch "$work/updated"
    fi
    DEBIAN_FRONTEND=noninteractive "${as[@]}" apt-get install -qq -y --no-install-recommends "$package" >"$work/apt.log" 2>&1 ||
        fail "apt-get install $package failed: $(cat "$work/apt.log")"
    command -v "$program" >/dev/null || fail "$package is installed and brought no $program"
}

# tools installs all that the tests need.
tools() {
    install chromium chromium
    if ! command -v initdb >/dev/null && ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then
        install pg_ctlcluster postgresql # which leaves initdb outside PATH
    fi
    install nginx nginx-light
    install haproxy haproxy
    install redis-server redis-server
    install nats-server nats-server
    install python3 python3
    install node nodejs
    GOBIN="$work" go install "$ratelimit"
    chromium --version
    python3 --version
    node --version
    nginx -v
    haproxy -v | sed -n 1p
    redis-server --version
    nats-server --version
}

# packages lists the packages of the module whose paths end with one of these names, and
# fails if one is missing, so that a package that moves is not left out unnoticed.
packages() {
    local name found
    for name in "$@"; do
        found=$(go list -tags network ./... | grep -E "/($name)\$") || fail "no package is called $name"
        echo "$found"
    done
}

# asked runs tests by the arguments of `go test`. None may be skipped.
asked() {
    REQUIRE_TOOLS=1 go test -tags network -count 1 -timeout 240m -v "$@" >"$work/asked.txt" 2>&1 || fail "$(cat "$work/asked.txt")"
    if grep -e '--- SKIP' "$work/asked.txt"; then
        fail "tests were skipped"
    fi
    grep -c '^ *--- PASS' "$work/asked.txt" || fail "no test ran"
}
