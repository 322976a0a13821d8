/** Tokens: identifiers, types and what is stored beside the sealed data. */
package io.tokenvault.domain.token;
