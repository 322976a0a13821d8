/**
 * The forwarding proxy. Start with {@code ProxyEngine}, which lists the steps of an invocation in
 * order. Nothing is sent before its audit entry is durable, and nothing is sent twice.
 */
package io.tokenvault.engine;
