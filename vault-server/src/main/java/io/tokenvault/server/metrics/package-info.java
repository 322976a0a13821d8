/**
 * Metrics in Prometheus format. Start with {@code VaultMetrics}. Components are measured by the
 * decorators in {@code Measured}, and no other package uses Micrometer. Labels are from bounded
 * sets and never hold data.
 */
package io.tokenvault.server.metrics;
