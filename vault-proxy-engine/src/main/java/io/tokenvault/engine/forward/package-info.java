/**
 * Sends requests to destinations. Start with {@code Forwarder}. The only packages that know OkHttp
 * are this one and those below it. A request that may have arrived is never sent again.
 */
package io.tokenvault.engine.forward;
