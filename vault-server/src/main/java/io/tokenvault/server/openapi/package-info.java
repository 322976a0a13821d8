/** The description of the whole interface in OpenAPI. */
package io.tokenvault.server.openapi;
