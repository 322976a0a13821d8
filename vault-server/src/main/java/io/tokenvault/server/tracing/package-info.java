/**
 * Spans of requests for distributed tracing, through the API of OpenTelemetry. Start with {@code
 * Tracing}, which finds out whether anything receives spans.
 */
package io.tokenvault.server.tracing;
