/** What a request says of itself, and the reader of the fields of its JSON. */
package io.tokenvault.domain.request;
