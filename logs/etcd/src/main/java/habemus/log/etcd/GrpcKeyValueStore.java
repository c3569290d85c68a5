package habemus.log.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** etcd over gRPC. It talks to one member at a time, and to the next after a failure. */
final class GrpcKeyValueStore implements KeyValueStore {

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30); // of many keys

    private final EtcdChannels channels;

    GrpcKeyValueStore(EtcdAddress address) {
        channels = new EtcdChannels(address);
    }

    private static ByteString bytes(String key) {
        return ByteString.copyFromUtf8(key);
    }

    private static KeyValue keyValue(io.etcd.jetcd.api.KeyValue entry) {
        return new KeyValue(
                entry.getKey().toStringUtf8(),
                entry.getModRevision(),
                entry.getValue().toByteArray());
    }

    @Override
    public CompletableFuture<Outcome> commit(Transaction transaction) {
        var request = TxnRequest.newBuilder();
        for (var condition : transaction.conditions()) {
            request.addCompare(Compare.newBuilder()
                    .setKey(bytes(condition.key()))
                    .setTarget(Compare.CompareTarget.MOD)
                    .setResult(Compare.CompareResult.EQUAL)
                    .setModRevision(condition.revision()));
        }
        for (var put : transaction.puts()) {
            var operation = PutRequest.newBuilder().setKey(bytes(put.key())).setValue(ByteString.copyFrom(put.value()));
            request.addSuccess(RequestOp.newBuilder().setRequestPut(operation));
        }
        for (var key : transaction.reads()) {
            var read = RequestOp.newBuilder()
                    .setRequestRange(RangeRequest.newBuilder().setKey(bytes(key)))
                    .build();
            request.addSuccess(read).addFailure(read);
        }
        return channels.call(KVGrpc.getTxnMethod(), request.build(), CALL_TIMEOUT)
                .thenApply(GrpcKeyValueStore::outcome);
    }

    private static Outcome outcome(TxnResponse response) {
        var read = new ArrayList<KeyValue>();
        for (var operation : response.getResponsesList()) {
            operation.getResponseRange().getKvsList().forEach(entry -> read.add(keyValue(entry)));
        }
        return new Outcome(
                response.getSucceeded(),
                response.getHeader().getRevision(),
                response.getHeader().getClusterId(),
                List.copyOf(read));
    }

    @Override
    public CompletableFuture<Page> read(KeyRange range, int limit, long revision, long changedSince) {
        var request = RangeRequest.newBuilder()
                .setKey(bytes(range.from()))
                .setRangeEnd(bytes(range.to()))
                .setLimit(limit)
                .setRevision(revision)
                .setMinModRevision(changedSince)
                .build();
        return channels.call(KVGrpc.getRangeMethod(), request, READ_TIMEOUT)
                .thenApply(response -> new Page(
                        response.getKvsList().stream()
                                .map(GrpcKeyValueStore::keyValue)
                                .toList(),
                        response.getMore()));
    }

    @Override
    public CompletableFuture<Void> delete(KeyRange range) {
        var request = DeleteRangeRequest.newBuilder()
                .setKey(bytes(range.from()))
                .setRangeEnd(bytes(range.to()))
                .build();
        return channels.call(KVGrpc.getDeleteRangeMethod(), request, READ_TIMEOUT)
                .thenApply(response -> null);
    }

    @Override
    public CompletableFuture<Void> compactHistory(long revision) {
        var request = CompactionRequest.newBuilder().setRevision(revision).build();
        return channels.call(KVGrpc.getCompactMethod(), request, READ_TIMEOUT).thenApply(response -> null);
    }

    @Override
    public CompletableFuture<Status> status() {
        return channels.call(MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), CALL_TIMEOUT)
                .thenCompose(status -> channels.call(
                                ClusterGrpc.getMemberListMethod(), MemberListRequest.getDefaultInstance(), CALL_TIMEOUT)
                        .thenApply(members -> new Status(
                                status.getVersion(),
                                (int) members.getMembersList().stream()
                                        .filter(member -> !member.getIsLearner())
                                        .count(),
                                status.getDbSize())));
    }

    @Override
    public Watch watch(KeyRange range, long fromRevision, ChangeListener listener) {
        return channels.watch(range, fromRevision, listener);
    }

    @Override
    public void close() {
        channels.close();
    }
}
