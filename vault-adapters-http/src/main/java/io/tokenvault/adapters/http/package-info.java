/** The vault over HTTP: routes, authentication, request validation and problem bodies. */
package io.tokenvault.adapters.http;
