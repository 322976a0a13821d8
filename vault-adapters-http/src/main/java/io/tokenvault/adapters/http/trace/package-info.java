/**
 * Identifies requests in responses, logs and metrics. {@code TraceId} names a request, {@code
 * TraceContext} reads the caller's W3C Trace Context, and {@code RouteName} keeps the route that a
 * request was dispatched to.
 */
package io.tokenvault.adapters.http.trace;
