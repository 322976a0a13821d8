/** Whether the OpenAPI document is sound in itself. */
package io.tokenvault.server.openapi;
