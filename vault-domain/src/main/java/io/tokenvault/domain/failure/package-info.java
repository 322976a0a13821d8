/** What can go wrong, as a closed list, and how a caller is told. */
package io.tokenvault.domain.failure;
