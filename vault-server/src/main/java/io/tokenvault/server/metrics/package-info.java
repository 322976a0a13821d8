/** Figures for operators, in the format of Prometheus. Nothing else uses Micrometer. */
package io.tokenvault.server.metrics;
