/** Tests of the OpenAPI document. */
package io.tokenvault.server.openapi;
