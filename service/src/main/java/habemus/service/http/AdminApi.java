package habemus.service.http;

import habemus.lockservice.Command;
import habemus.lockservice.Command.AdminAction;
import habemus.lockservice.Holder;
import habemus.lockservice.ResourceName;
import habemus.lockservice.storage.StorageFormat;
import habemus.service.http.ApiResponses.AuditJson;
import habemus.service.http.ApiResponses.Audits;
import habemus.service.http.ApiResponses.Deadlocks;
import habemus.service.http.ApiResponses.LogJson;
import habemus.service.http.ApiResponses.MemberJson;
import habemus.service.http.ApiResponses.Members;
import habemus.service.http.ApiResponses.Sessions;
import habemus.service.log.IndeterminateOutcomeException;
import habemus.service.log.ProposalRejectedException;
import habemus.service.server.AccessPolicy;
import habemus.service.server.LockServerNode;
import habemus.service.server.Principal;
import habemus.service.server.Principal.Permission;
import habemus.service.transport.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator routes of a lock server: sessions, deadlocks, audit, members, backup, metrics, and the commands that
 * revoke, transfer and expire. Every such command goes through the log and leaves an audit record.
 */
final class AdminApi {

    /** The body fields, or query parameters, that say who acts and why. */
    private static final List<String> AUDIT_FIELDS = List.of("operator", "reason");

    private static final List<String> REVOKE_FIELDS = List.of("fence", "operator", "reason");
    private static final long COMMIT_TIMEOUT_SECONDS = 12; // longer than the proposal timeout of the log

    private static final Logger LOG = LoggerFactory.getLogger(AdminApi.class);

    private final LockServerNode node;
    private final PrometheusMetrics metrics;

    AdminApi(LockServerNode node) {
        this.node = node;
        metrics = new PrometheusMetrics(node);
    }

    List<Route> routes() {
        return List.of(
                Route.get("/sessions", this::sessions),
                Route.get("/deadlocks", this::deadlocks),
                Route.get("/audit", this::audit),
                Route.get("/members", call -> members()),
                Route.get("/backup", this::backup),
                Route.get("/metrics", call -> metrics.scrape(call.accept())),
                Route.get("/openapi.json", call -> openApi()),
                Route.post("/locks/{name}/release", REVOKE_FIELDS, call -> release(ResourceName.Kind.LOCK, call)),
                Route.post(
                        "/semaphores/{name}/release",
                        REVOKE_FIELDS,
                        call -> release(ResourceName.Kind.SEMAPHORE, call)),
                Route.post("/leaders/{name}/release", REVOKE_FIELDS, call -> release(ResourceName.Kind.ELECTION, call)),
                Route.post("/leaders/{name}/transfer", List.of("to", "fence", "operator", "reason"), this::transfer),
                Route.post("/sessions/{id}/expire", AUDIT_FIELDS, this::expire),
                Route.post("/members", List.of("name", "address"), this::add),
                Route.delete("/members/{name}", this::remove));
    }

    /** @throws ApiException 403 if the policy does not give the caller this permission for this name */
    static void require(AccessPolicy policy, ApiCall call, Permission permission, ResourceName name) {
        if (!call.principal().isAllowed(permission, name)) {
            throw forbid(policy, call, permission, name.kind() + " '" + name.text() + "'");
        }
    }

    private void requireEverywhere(ApiCall call, Permission permission) {
        if (!call.principal().isAllowedEverywhere(permission)) {
            throw forbid(node.policy(), call, permission, "everything");
        }
    }

    private static ApiException forbid(AccessPolicy policy, ApiCall call, Permission permission, String target) {
        var action = permission.name().toLowerCase(Locale.ROOT) + " " + target;
        policy.reportDenied(call.principal().name(), call.host(), action);
        return TicketErrors.forbidden(action, call.principal());
    }

    private TableViews views() {
        return new TableViews(node.loop().table());
    }

    private Sessions sessions(ApiCall call) {
        requireEverywhere(call, Permission.INSPECT);
        var page = views().sessions(call.after(), call.limit());
        return new Sessions(page.items(), page.next());
    }

    private Deadlocks deadlocks(ApiCall call) {
        requireEverywhere(call, Permission.INSPECT);
        return new Deadlocks(views().deadlocks());
    }

    private Audits audit(ApiCall call) {
        requireEverywhere(call, Permission.INSPECT);
        var page = views().audit(call.after(), call.limit());
        return new Audits(page.items(), page.next());
    }

    private AuditJson release(ResourceName.Kind kind, ApiCall call) {
        var name = new ResourceName(kind, call.name());
        require(node.policy(), call, Permission.ADMINISTER, name);
        return force(call, new AdminAction.Release(name, expectedFence(call, name)));
    }

    private AuditJson transfer(ApiCall call) {
        var name = ResourceName.election(call.name());
        require(node.policy(), call, Permission.ADMINISTER, name);
        return force(
                call,
                new AdminAction.Transfer(
                        name.text(), expectedFence(call, name), call.body().required("to")));
    }

    /**
     * The fence that the command is limited to: holders with a larger fence keep the lock. Default: the fence of the
     * current holder.
     */
    private long expectedFence(ApiCall call, ResourceName name) {
        var table = node.loop().table();
        long current =
                table.holders(name).stream().mapToLong(Holder::fence).max().orElse(table.index());
        return call.body().number("fence", current, 1, Long.MAX_VALUE);
    }

    private AuditJson expire(ApiCall call) {
        requireEverywhere(call, Permission.ADMINISTER);
        if (!call.id().matches("[1-9]\\d{0,17}")) {
            throw ApiException.badRequest(
                    "invalid session id: '" + call.id() + "' (a positive number)", "list all with GET /sessions");
        }
        return force(call, new AdminAction.Expire(Long.parseLong(call.id())));
    }

    private AuditJson force(ApiCall call, AdminAction action) {
        if (call.principal().equals(Principal.ANONYMOUS)) {
            call.body().required("operator");
        }
        var command = new Command.AdminCommand(
                action, operator(call), call.host(), call.body().required("reason"));
        var after = await(node.loop().submitAdminCommand(command));
        return new TableViews(after)
                .audit(command)
                .orElseThrow(() -> new IllegalStateException("no audit record for " + command));
    }

    /**
     * Keeps in the audit what is not done by the lock table. Does not wait: a backup must not need a majority. The log
     * of the node has the action in any case.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback only logs
    private void recordPerformed(ApiCall call, String action, String effect) {
        var command = new Command.AdminCommand(
                new AdminAction.Performed(action, effect),
                operator(call),
                call.host(),
                call.bodyOrQuery("reason").orElse("none given"));
        LOG.info(
                "administrative action operator=\"{}\" address={} action=\"{}\" effect=\"{}\"",
                command.operator(),
                command.address(),
                action,
                effect);
        node.loop().submitAdminCommand(command).exceptionally(failed -> {
            LOG.warn("action not in the audit action=\"{}\" reason=\"{}\"", action, failed.toString());
            return null;
        });
    }

    /** The name for the audit record. An authenticated caller is recorded by its own name; a given name is added. */
    private static String operator(ApiCall call) {
        var given = call.bodyOrQuery("operator");
        if (call.principal().equals(Principal.ANONYMOUS)) {
            return given.orElse(call.principal().name());
        }
        return call.principal().name() + given.map(name -> " (" + name + ")").orElse("");
    }

    private Members members() {
        var log = node.log();
        return new Members(
                log.members().stream()
                        .map(member -> new MemberJson(member.node().toString(), member.addressText()))
                        .toList(),
                LogJson.of(log.health()));
    }

    private Members add(ApiCall call) {
        requireEverywhere(call, Permission.ADMINISTER);
        var name = call.body().required("name");
        var address = call.body().required("address");
        changeMembers(call, "add member " + name + " at " + address, node.log().addMember(parseMember(name, address)));
        return members();
    }

    /** A change that fails is in the audit, too. */
    private void changeMembers(ApiCall call, String action, CompletableFuture<Void> change) {
        try {
            await(change);
        } catch (ApiException failed) {
            recordPerformed(call, action, "failed: " + failed.getMessage());
            throw failed;
        }
        recordPerformed(call, action, "done");
    }

    private static Member parseMember(String name, String address) {
        try {
            return new Member(Member.parseNode(name), Member.parseAddress(address, address));
        } catch (IllegalArgumentException invalid) {
            throw ApiException.badRequest(
                    String.valueOf(invalid.getMessage()),
                    "example: {\"name\": \"n4\", \"address\": \"10.0.0.4:7601\"}");
        }
    }

    private Members remove(ApiCall call) {
        requireEverywhere(call, Permission.ADMINISTER);
        try {
            var member = Member.parseNode(call.name());
            changeMembers(call, "remove member " + member, node.log().removeMember(member));
        } catch (IllegalArgumentException invalid) {
            throw ApiException.badRequest(String.valueOf(invalid.getMessage()), "list all with GET /members");
        }
        return members();
    }

    private Route.RawResponse backup(ApiCall call) {
        requireEverywhere(call, Permission.ADMINISTER);
        var table = node.loop().table();
        recordPerformed(call, "backup", "sent the table as of index " + table.index());
        return new Route.RawResponse("application/octet-stream", StorageFormat.encode(table));
    }

    private static Route.RawResponse openApi() {
        try (var file = Objects.requireNonNull(AdminApi.class.getResourceAsStream("openapi.json"))) {
            return new Route.RawResponse(HttpServer.JSON, file.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(COMMIT_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw TicketErrors.noMajority();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw TicketErrors.noMajority();
        } catch (ExecutionException failed) {
            throw switch (failed.getCause()) {
                case ProposalRejectedException rejected ->
                    new ApiException(
                            409,
                            "rejected",
                            String.valueOf(rejected.getMessage()),
                            "see the state of the nodes with GET /status");
                case IndeterminateOutcomeException indeterminate -> TicketErrors.noMajority();
                case null, default -> new IllegalStateException(failed);
            };
        }
    }
}
