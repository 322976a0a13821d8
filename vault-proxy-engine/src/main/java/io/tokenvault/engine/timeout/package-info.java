/**
 * Time limits of exchanges with destinations and with workers. Start with {@code TimeLimit}. One
 * thread watches all of them, and ends what exceeds its limit.
 */
package io.tokenvault.engine.timeout;
