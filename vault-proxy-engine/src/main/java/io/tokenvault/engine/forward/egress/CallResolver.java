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
 * Resolves host names for the call that the current thread executes, and waits no longer than until
 * that call is canceled. OkHttp does not inform its {@code Dns} of the call or of its end.
 *
 * <p>Register one instance with the client in all of its roles: as an event listener, as an
 * application interceptor, and as the resolver of {@link GuardedDns}.
 */
public final class CallResolver extends EventListener implements HostResolver, Interceptor {

  private final DnsLookups lookups;
  private final ThreadLocal<Call> executed = new ThreadLocal<>();
  private final Map<Call, CompletableFuture<?>> waiting = new ConcurrentHashMap<>();

  public CallResolver(DnsLookups lookups) {
    this.lookups = lookups;
  }

  /** Associates the call with the current thread while it is executed. */
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
   * Resolves a name for the current thread's call.
   *
   * @throws UnknownHostException if the name does not resolve, no lookup can be started, or the
   *     call was canceled
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

  /**
   * Returns a new exception for each waiting call: all calls that wait for one name share the
   * original.
   */
  private static UnknownHostException failure(Throwable failed) {
    if (failed instanceof LookupsBusyException) {
      return new LookupsBusyException();
    }
    if (failed instanceof UnknownHostException) {
      return new UnknownHostException();
    }
    throw new IllegalStateException("the resolver failed", failed);
  }

  /** Stops waiting for the addresses of a canceled call. */
  @Override
  public void canceled(Call call) {
    CompletableFuture<?> found = waiting.get(call);
    if (found != null) {
      found.cancel(false);
    }
  }
}
