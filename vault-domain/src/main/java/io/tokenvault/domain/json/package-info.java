/**
 * JSON values without a JSON library. Start with {@code JsonValue}. Data crosses the ports in this
 * form.
 */
package io.tokenvault.domain.json;
