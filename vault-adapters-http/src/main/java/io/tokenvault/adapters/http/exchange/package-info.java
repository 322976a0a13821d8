/**
 * Facts about an exchange that all layers of the HTTP adapter share: its trace id, its route, the
 * limits that it is subject to, and how it is reported for metrics. Start with {@code TraceId} and
 * {@code RequestObserver}. This package depends on no other package of the adapter.
 */
package io.tokenvault.adapters.http.exchange;
