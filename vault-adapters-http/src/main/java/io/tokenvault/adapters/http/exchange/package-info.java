/**
 * Facts about an exchange that all layers of the HTTP adapter share: its trace id, its route, the
 * limits that it is subject to, how it is reported for metrics, and the form of times. Start with
 * {@code TraceId} and {@code RequestObserver}. This package depends on no other package of the
 * adapter.
 */
package io.tokenvault.adapters.http.exchange;
