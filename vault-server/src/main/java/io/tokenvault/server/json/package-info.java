/** JSON text, by Jackson's streaming API. */
package io.tokenvault.server.json;
