/**
 * Sends requests to destinations. Start with {@code Forwarder}. Only this package and those below
 * it know OkHttp. A request that may have arrived is never sent again. A forward proxy receives
 * host names, but the egress check decides before it is contacted.
 */
package io.tokenvault.engine.forward;
