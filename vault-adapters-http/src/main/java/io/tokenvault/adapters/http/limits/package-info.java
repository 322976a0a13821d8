/**
 * Limits that protect a listener: concurrent requests for each tenant and application, memory for
 * bodies, minimum data rates, deadlines. Each limit has a setting and answers with 408, 413, 429 or
 * 503 and a problem body. What a request reserves here is released after the last byte of its
 * response.
 */
package io.tokenvault.adapters.http.limits;
