package habemus.log.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/**
 * A gRPC channel to each member of etcd, one of them in use. After a call without an answer the next one is used. A
 * member without a leader refuses calls, so that the next one is asked at once.
 */
final class EtcdChannels implements AutoCloseable {

    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> REQUIRE_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    /** gRPC does not use SLF4J. This reference keeps the level: it says at INFO which sockets it does not use. */
    private static final Logger GRPC_LOG = Logger.getLogger("io.grpc");

    static {
        GRPC_LOG.setLevel(Level.WARNING);
    }

    private static final Duration AUTHENTICATION_TIMEOUT = Duration.ofSeconds(5);

    private final Optional<EtcdAddress.User> user;
    private final List<Endpoint> endpoints;
    private final AtomicInteger current = new AtomicInteger();
    private volatile CompletableFuture<String> token; // empty if there is no user

    private record Endpoint(int number, String address, ManagedChannel channel) {}

    EtcdChannels(EtcdAddress address) {
        user = address.user();
        var credentials = address.tls().map(EtcdChannels::credentials).orElseGet(InsecureChannelCredentials::create);
        endpoints = IntStream.range(0, address.endpoints().size())
                .mapToObj(i -> new Endpoint(
                        i, address.endpoints().get(i), open(address.endpoints().get(i), credentials)))
                .toList();
        token = CompletableFuture.completedFuture("");
        user.ifPresent(known -> token = CompletableFuture.failedFuture(new IllegalStateException("not authenticated")));
    }

    private static ChannelCredentials credentials(EtcdAddress.Tls tls) {
        try {
            var builder = TlsChannelCredentials.newBuilder()
                    .trustManager(tls.authority().toFile());
            if (tls.certificate().isPresent()) {
                var pair = tls.certificate().get();
                builder.keyManager(pair.certificate().toFile(), pair.key().toFile());
            }
            return builder.build();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "cannot read the certificates for etcd: " + unreadable.getMessage()
                            + "\nhint: cacert, cert and key of --log are PEM files",
                    unreadable);
        }
    }

    private static ManagedChannel open(String address, ChannelCredentials credentials) {
        return Grpc.newChannelBuilder(address, credentials)
                .directExecutor()
                .maxInboundMessageSize(Integer.MAX_VALUE)
                .build();
    }

    // ---- calls ----

    <Q, A> CompletableFuture<A> call(MethodDescriptor<Q, A> method, Q request, Duration timeout) {
        return token().thenCompose(text -> {
            var endpoint = endpoint();
            return call(endpoint, text, method, request, timeout)
                    .exceptionallyCompose(failed -> CompletableFuture.failedFuture(onFailed(endpoint, failed)));
        });
    }

    private static <Q, A> CompletableFuture<A> call(
            Endpoint endpoint, String token, MethodDescriptor<Q, A> method, Q request, Duration timeout) {
        var answer = new UnaryAnswer<A>();
        var options = CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
        ClientCalls.asyncUnaryCall(withHeaders(endpoint.channel, token).newCall(method, options), request, answer);
        return answer.future;
    }

    private static Channel withHeaders(Channel channel, String token) {
        var headers = new Metadata();
        headers.put(REQUIRE_LEADER, "true");
        if (!token.isEmpty()) {
            headers.put(TOKEN, token);
        }
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private static final class UnaryAnswer<A> implements StreamObserver<A> {
        final CompletableFuture<A> future = new CompletableFuture<>();

        @Override
        public void onNext(A value) {
            future.complete(value);
        }

        @Override
        public void onError(Throwable failed) {
            future.completeExceptionally(failed);
        }

        @Override
        public void onCompleted() {
            future.completeExceptionally(new IllegalStateException("no answer"));
        }
    }

    private Endpoint endpoint() {
        return endpoints.get(current.get());
    }

    private StoreException onFailed(Endpoint endpoint, Throwable failed) {
        var exception = StoreFailures.of(endpoint.address, failed);
        if (exception.kind() == StoreException.Kind.UNAVAILABLE) {
            leave(endpoint);
        } else if (exception.kind() == StoreException.Kind.DENIED && user.isPresent()) {
            forgetToken();
        }
        return exception;
    }

    /** Uses the next endpoint from now on, at once even if it has failed lately. */
    private void leave(Endpoint endpoint) {
        int next = (endpoint.number + 1) % endpoints.size();
        current.compareAndSet(endpoint.number, next);
        endpoints.get(next).channel.resetConnectBackoff();
    }

    // ---- authentication ----

    private synchronized CompletableFuture<String> token() {
        if (token.isCompletedExceptionally()) {
            var endpoint = endpoint();
            var request = AuthenticateRequest.newBuilder()
                    .setName(user.orElseThrow().name())
                    .setPassword(user.orElseThrow().password())
                    .build();
            token = call(endpoint, "", AuthGrpc.getAuthenticateMethod(), request, AUTHENTICATION_TIMEOUT)
                    .thenApply(AuthenticateResponse::getToken)
                    .exceptionallyCompose(failed -> StoreFailures.isWithoutAuthentication(failed)
                            ? CompletableFuture.completedFuture("")
                            : CompletableFuture.failedFuture(onFailed(endpoint, failed)));
        }
        return token;
    }

    /** A token expires, or is lost with the member that gave it. */
    private synchronized void forgetToken() {
        if (token.isDone() && !token.isCompletedExceptionally()) {
            token = CompletableFuture.failedFuture(new IllegalStateException("expired"));
        }
    }

    // ---- watches ----

    @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the failure
    KeyValueStore.Watch watch(KeyValueStore.KeyRange range, long fromRevision, KeyValueStore.ChangeListener listener) {
        var observer = new WatchObserver(listener);
        token().whenComplete((text, failed) -> {
            if (failed == null) {
                observer.open(endpoint(), text, request(range, fromRevision));
            } else {
                observer.onError(failed);
            }
        });
        return observer;
    }

    private static WatchRequest request(KeyValueStore.KeyRange range, long fromRevision) {
        return WatchRequest.newBuilder()
                .setCreateRequest(WatchCreateRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(range.from()))
                        .setRangeEnd(ByteString.copyFromUtf8(range.to()))
                        .setStartRevision(fromRevision)
                        .addFilters(WatchCreateRequest.FilterType.NODELETE))
                .build();
    }

    private final class WatchObserver implements StreamObserver<WatchResponse>, KeyValueStore.Watch {

        private final KeyValueStore.ChangeListener listener;
        private Optional<Endpoint> endpoint = Optional.empty();
        private Optional<ClientCall<WatchRequest, WatchResponse>> call = Optional.empty();
        private boolean hasEnded;

        WatchObserver(KeyValueStore.ChangeListener listener) {
            this.listener = listener;
        }

        synchronized void open(Endpoint to, String text, WatchRequest request) {
            if (hasEnded) {
                return;
            }
            endpoint = Optional.of(to);
            var opened = withHeaders(to.channel, text).newCall(WatchGrpc.getWatchMethod(), CallOptions.DEFAULT);
            call = Optional.of(opened);
            ClientCalls.asyncBidiStreamingCall(opened, this).onNext(request);
        }

        @Override
        public void onNext(WatchResponse response) {
            if (response.getCanceled()) {
                end(StoreFailures.ofCanceledWatch(response));
                return;
            }
            var puts = response.getEventsList().stream()
                    .map(event -> new KeyValueStore.KeyValue(
                            event.getKv().getKey().toStringUtf8(),
                            event.getKv().getModRevision(),
                            event.getKv().getValue().toByteArray()))
                    .toList();
            if (!puts.isEmpty()) {
                listener.onChanges(puts, puts.getLast().revision());
            }
        }

        @Override
        public void onError(Throwable failed) {
            end(
                    failed instanceof StoreException known
                            ? known
                            : endpoint.map(from -> onFailed(from, failed))
                                    .orElseGet(() -> StoreFailures.of("", failed)));
        }

        @Override
        public void onCompleted() {
            end(new StoreException(StoreException.Kind.UNAVAILABLE, "etcd has ended the watch", null));
        }

        private void end(StoreException cause) {
            synchronized (this) {
                if (hasEnded) {
                    return;
                }
            }
            cancel();
            listener.onBroken(cause);
        }

        @Override
        public synchronized void cancel() {
            hasEnded = true;
            call.ifPresent(open -> open.cancel("closed", null));
        }
    }

    @Override
    public void close() {
        endpoints.forEach(endpoint -> endpoint.channel.shutdownNow());
    }
}
