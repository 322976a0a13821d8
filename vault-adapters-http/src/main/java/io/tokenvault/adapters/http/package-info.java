/**
 * The vault over HTTP. Start with {@code VaultHttpServer}, the only public class: it builds the
 * listeners and the routes from the use cases that it is given. Requests are authenticated before
 * anything else of them is read, and every failure becomes an {@code application/problem+json}
 * body.
 */
package io.tokenvault.adapters.http;
