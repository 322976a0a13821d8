/**
 * The benchmark, which compares the vault with nginx, a bare forwarder, and pgbench. It is not a
 * test; the Maven profile {@code bench} runs it, as docs/performance.md describes.
 */
package io.tokenvault.benchmark;
