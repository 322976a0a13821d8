/**
 * Identifies requests in responses, logs and audit entries. {@code TraceId} follows W3C Trace
 * Context. {@code FaultLog} logs unexpected failures by class and place, never by message, since
 * messages can hold data.
 */
package io.tokenvault.adapters.http.trace;
