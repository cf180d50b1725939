#!/usr/bin/env bash
# The response cache's key under many more random configs than the suite has time for. Usage: response_cache.sh [build]
set -euo pipefail
cd "$(dirname "$0")/../.."
VSR_CACHE_CONFIGS="${VSR_CACHE_CONFIGS:-10000}" "${1:-build}/bin/test_routing" \
  "response cache: no request gets what another of its kind would not"
