package habemus.log.etcd;

import habemus.log.etcd.StoreException.Kind;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Status;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says what a failure of a call to etcd means, and what an operator can do. */
final class StoreFailures {

    private StoreFailures() {}

    static StoreException of(String address, Throwable failed) {
        var cause = failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
        if (cause instanceof StoreException known) {
            return known;
        }
        var status = Status.fromThrowable(cause);
        var text = status.getDescription() == null ? status.getCode().toString() : status.getDescription();
        return switch (kind(status, text)) {
            case UNAVAILABLE -> unavailable(address, status, text);
            case DENIED ->
                exception(
                        Kind.DENIED,
                        isTls(status)
                                ? "TLS connection to etcd at " + address + " failed: " + rootMessage(status)
                                : "etcd at " + address + " denies access: " + text,
                        isTls(status)
                                ? "check cacert, cert and key of --log, and that the certificate of etcd names the host"
                                : "check user and password-file of --log, and the role; see docs/operations.md",
                        cause);
            case NO_SPACE ->
                exception(
                        Kind.NO_SPACE,
                        "etcd at " + address + " is over its space quota: " + text,
                        "etcdctl compact REVISION, etcdctl defrag, then etcdctl alarm disarm",
                        cause);
            case COMPACTED -> new StoreException(Kind.COMPACTED, text, cause);
            case INVALID ->
                new StoreException(Kind.INVALID, "etcd at " + address + " rejects a request: " + text, cause);
        };
    }

    private static StoreException exception(Kind kind, String what, String hint, @Nullable Throwable cause) {
        return new StoreException(kind, what + "\nhint: " + hint, cause);
    }

    private static StoreException unavailable(String address, Status status, String text) {
        boolean isWithoutQuorum = text.contains("no leader") || text.contains("leader changed");
        var reason = switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> "no answer in time; its members may have no quorum";
            default -> isWithoutQuorum ? "its members have no quorum (" + text + ")" : rootMessage(status);
        };
        return exception(
                Kind.UNAVAILABLE,
                "etcd at " + address + " is not available: " + reason,
                "etcdctl endpoint health --cluster; if etcd uses TLS, give cacert to --log",
                status.getCause());
    }

    private static Kind kind(Status status, String text) {
        return switch (status.getCode()) {
            case RESOURCE_EXHAUSTED -> text.contains("space exceeded") ? Kind.NO_SPACE : Kind.UNAVAILABLE;
            case OUT_OF_RANGE -> text.contains("compacted") ? Kind.COMPACTED : Kind.INVALID;
            case PERMISSION_DENIED, UNAUTHENTICATED -> Kind.DENIED;
            case INVALID_ARGUMENT -> text.contains("user") || text.contains("auth") ? Kind.DENIED : Kind.INVALID;
            case UNAVAILABLE -> isTls(status) ? Kind.DENIED : Kind.UNAVAILABLE;
            case UNIMPLEMENTED -> Kind.INVALID;
            default -> Kind.UNAVAILABLE;
        };
    }

    private static boolean isTls(Status status) {
        for (var cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return true;
            }
        }
        return false;
    }

    private static String rootMessage(Status status) {
        var message = String.valueOf(status.getDescription());
        for (var cause = status.getCause(); cause != null; cause = cause.getCause()) {
            message = cause.getMessage() == null ? message : cause.getMessage();
        }
        return message;
    }

    /** The user is given, but etcd asks for none. */
    static boolean isWithoutAuthentication(Throwable failed) {
        return Status.fromThrowable(failed).getCode() == Status.Code.FAILED_PRECONDITION;
    }

    static StoreException ofCanceledWatch(WatchResponse response) {
        var reason = response.getCancelReason();
        if (response.getCompactRevision() > 0) {
            return new StoreException(
                    Kind.COMPACTED, "history is compacted up to revision " + response.getCompactRevision(), null);
        }
        return reason.contains("permission")
                ? exception(
                        Kind.DENIED, "etcd denies the watch: " + reason, "see docs/operations.md for the role", null)
                : new StoreException(Kind.UNAVAILABLE, "etcd has canceled the watch: " + reason, null);
    }
}
