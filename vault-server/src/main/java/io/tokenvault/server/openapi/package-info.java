/**
 * The description of the whole API in OpenAPI. {@code ApiDocument} assembles it from resources, one
 * for each subject. An end-to-end test compares it with the routes.
 */
package io.tokenvault.server.openapi;
