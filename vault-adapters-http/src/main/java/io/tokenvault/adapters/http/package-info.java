/**
 * The HTTP adapter of the vault. Start with {@code VaultHttpServer}: it builds the listeners and
 * the routes from the use cases that it is given. Requests are authenticated before their query or
 * body is read, and every failure becomes a problem body ({@code application/problem+json};
 * failures of the proxy are wrapped in {@code application/json}).
 */
package io.tokenvault.adapters.http;
