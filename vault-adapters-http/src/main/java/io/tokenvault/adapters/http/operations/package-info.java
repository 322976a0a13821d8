/** What operators see of a listener, and what tells them. */
package io.tokenvault.adapters.http.operations;
