/**
 * Metrics in Prometheus format. Start with {@code VaultMetrics}. Components are measured by
 * decorators, and no other package uses Micrometer. Labels are from bounded sets and never hold
 * data.
 */
package io.tokenvault.server.metrics;
