package io.tokenvault.engine.forward.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * Finds addresses for the call that its thread executes, and waits for them no longer than until
 * the call is cancelled: OkHttp does not tell its {@code Dns} for which call it asks, nor when that
 * has ended. To be made known to the client in all of its roles.
 */
public final class CallResolver extends EventListener implements HostResolver, Interceptor {

  private final DnsLookups lookups;
  private final ThreadLocal<Call> executed = new ThreadLocal<>();
  private final Map<Call, CompletableFuture<?>> waiting = new ConcurrentHashMap<>();

  public CallResolver(DnsLookups lookups) {
    this.lookups = lookups;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    executed.set(chain.call());
    try {
      return chain.proceed(chain.request());
    } finally {
      executed.remove();
    }
  }

  /**
   * @throws UnknownHostException also if the call was cancelled
   */
  @Override
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    Call call = executed.get();
    try {
      CompletableFuture<List<InetAddress>> found = lookups.find(host);
      waiting.put(call, found);
      if (call.isCanceled()) {
        canceled(call);
      }
      return found.join();
    } catch (CancellationException | RejectedExecutionException ended) {
      throw new UnknownHostException();
    } catch (CompletionException failed) {
      throw failure(failed.getCause());
    } finally {
      waiting.remove(call);
    }
  }

  /** Anew, since others that waited for the same name are given it too. */
  private static UnknownHostException failure(Throwable failed) {
    if (failed instanceof LookupsBusyException) {
      return new LookupsBusyException();
    }
    if (failed instanceof UnknownHostException) {
      return new UnknownHostException();
    }
    throw new IllegalStateException("the resolver failed", failed);
  }

  @Override
  public void canceled(Call call) {
    CompletableFuture<?> found = waiting.get(call);
    if (found != null) {
      found.cancel(false);
    }
  }
}
