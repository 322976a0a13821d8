/** JSON values without a JSON library: how data crosses the ports. */
package io.tokenvault.domain.json;
