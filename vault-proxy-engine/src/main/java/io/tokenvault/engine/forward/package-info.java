/** Sends requests to destinations and nowhere else. The only place that knows OkHttp. */
package io.tokenvault.engine.forward;
