/** Puts the parts together: database, keys, use cases, engine, routes. */
package io.tokenvault.server.assembly;
