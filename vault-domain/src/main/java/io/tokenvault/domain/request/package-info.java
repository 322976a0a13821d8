/** What a request says of itself. */
package io.tokenvault.domain.request;
