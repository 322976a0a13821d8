/**
 * Metrics in Prometheus format. Start with {@code VaultMetrics}. Nothing else uses Micrometer;
 * labels never hold data.
 */
package io.tokenvault.server.metrics;
