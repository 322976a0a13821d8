/**
 * Limits that protect a listener: memory for bodies, minimum data rates, deadlines. Limits on
 * concurrent requests are in the {@code overload} package. The memory that a request reserves is
 * released after the last byte of its response.
 */
package io.tokenvault.adapters.http.limits;
