/** Transforms of proxies, run by worker processes. */
package io.tokenvault.server.e2e.transform;
