package habemus.service.http;

import habemus.lockservice.Command;
import habemus.lockservice.Command.AdminAction;
import habemus.lockservice.Holder;
import habemus.lockservice.ResourceName;
import habemus.lockservice.storage.StorageFormat;
import habemus.service.http.ApiResponses.AuditJson;
import habemus.service.http.ApiResponses.Audits;
import habemus.service.http.ApiResponses.Deadlocks;
import habemus.service.http.ApiResponses.MemberJson;
import habemus.service.http.ApiResponses.Members;
import habemus.service.http.ApiResponses.Sessions;
import habemus.service.raft.IndeterminateOutcomeException;
import habemus.service.raft.ProposalRejectedException;
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

/** What operators ask of a node of the production service. */
final class AdminApi {

    private static final List<String> AUDIT_FIELDS = List.of("operator", "reason");
    private static final List<String> REVOKE_FIELDS = List.of("fence", "operator", "reason");
    private static final long COMMIT_TIMEOUT_SECONDS = 12; // seconds: longer than that of the log

    private final LockServerNode node;

    AdminApi(LockServerNode node) {
        this.node = node;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/sessions", this::sessions),
                Route.get("/deadlocks", this::deadlocks),
                Route.get("/audit", this::audit),
                Route.get("/members", apiCall -> members()),
                Route.get("/backup", this::backup),
                Route.get("/metrics", apiCall -> PrometheusMetrics.of(node)),
                Route.get("/openapi.json", apiCall -> openApi()),
                Route.post("/locks/{name}/release", REVOKE_FIELDS, apiCall -> release(ResourceName.Kind.LOCK, apiCall)),
                Route.post(
                        "/semaphores/{name}/release",
                        REVOKE_FIELDS,
                        apiCall -> release(ResourceName.Kind.SEMAPHORE, apiCall)),
                Route.post(
                        "/leaders/{name}/release",
                        REVOKE_FIELDS,
                        apiCall -> release(ResourceName.Kind.ELECTION, apiCall)),
                Route.post("/leaders/{name}/transfer", List.of("to", "fence", "operator", "reason"), this::transfer),
                Route.post("/sessions/{id}/expire", AUDIT_FIELDS, this::expire),
                Route.post("/members", List.of("name", "address"), this::add),
                Route.delete("/members/{name}", this::remove));
    }

    /** @throws ApiException if the visitor has no such right */
    static void require(AccessPolicy accessPolicy, ApiCall apiCall, Permission permission, ResourceName resourceName) {
        if (!apiCall.principal().isAllowed(permission, resourceName)) {
            throw forbid(accessPolicy, apiCall, permission + " " + resourceName);
        }
    }

    private void requireEverywhere(ApiCall apiCall, Permission permission) {
        if (!apiCall.principal().isAllowedEverywhere(permission)) {
            throw forbid(node.policy(), apiCall, permission + " everything");
        }
    }

    private static ApiException forbid(AccessPolicy accessPolicy, ApiCall apiCall, String what) {
        accessPolicy.reportDenied(apiCall.principal().name(), apiCall.host(), what);
        return new ApiException(
                403, "forbidden", "you have no right to " + what.toLowerCase(Locale.ROOT), "ask for the right");
    }

    private TableViews views() {
        return new TableViews(node.loop().table());
    }

    private Sessions sessions(ApiCall apiCall) {
        requireEverywhere(apiCall, Permission.INSPECT);
        return new Sessions(views().sessions());
    }

    private Deadlocks deadlocks(ApiCall apiCall) {
        requireEverywhere(apiCall, Permission.INSPECT);
        return new Deadlocks(views().deadlocks());
    }

    private Audits audit(ApiCall apiCall) {
        requireEverywhere(apiCall, Permission.INSPECT);
        return new Audits(views().audit());
    }

    private AuditJson release(ResourceName.Kind kind, ApiCall apiCall) {
        var resourceName = new ResourceName(kind, apiCall.name());
        require(node.policy(), apiCall, Permission.ADMINISTER, resourceName);
        return force(apiCall, new AdminAction.Release(resourceName, expectedFence(apiCall, resourceName)));
    }

    private AuditJson transfer(ApiCall apiCall) {
        var resourceName = ResourceName.election(apiCall.name());
        require(node.policy(), apiCall, Permission.ADMINISTER, resourceName);
        return force(
                apiCall,
                new AdminAction.Transfer(
                        resourceName.text(),
                        expectedFence(apiCall, resourceName),
                        apiCall.jsonBody().required("to")));
    }

    /** The fence of whom the operator has seen there; if it is not said, of whoever is there now. */
    private long expectedFence(ApiCall apiCall, ResourceName resourceName) {
        var lockTable = node.loop().table();
        long now = lockTable.holders(resourceName).stream()
                .mapToLong(Holder::fence)
                .max()
                .orElse(lockTable.index());
        return apiCall.jsonBody().number("fence", now, 1, Long.MAX_VALUE);
    }

    private AuditJson expire(ApiCall apiCall) {
        requireEverywhere(apiCall, Permission.ADMINISTER);
        if (!apiCall.id().matches("[1-9]\\d{0,17}")) {
            throw ApiException.badRequest("this is no session", "GET /sessions shows all");
        }
        return force(apiCall, new AdminAction.Expire(Long.parseLong(apiCall.id())));
    }

    private AuditJson force(ApiCall apiCall, AdminAction adminAction) {
        var adminCommand = new Command.AdminCommand(
                adminAction, operator(apiCall), apiCall.jsonBody().required("reason"));
        var after = await(node.loop().submitAdminCommand(adminCommand));
        return new TableViews(after)
                .audit(adminCommand)
                .orElseThrow(() -> new IllegalStateException("what was done is not in the audit"));
    }

    /** Who is known cannot act under another name. */
    private static String operator(ApiCall apiCall) {
        var said = apiCall.jsonBody().text("operator");
        if (apiCall.principal().equals(Principal.ANONYMOUS)) {
            return said.orElseGet(() -> apiCall.jsonBody().required("operator"));
        }
        return apiCall.principal().name() + said.map(name -> " (" + name + ")").orElse("");
    }

    private Members members() {
        return new Members(node.log().members().stream()
                .map(member -> new MemberJson(
                        member.node().toString(),
                        member.address().getHostString() + ":"
                                + member.address().getPort()))
                .toList());
    }

    private Members add(ApiCall apiCall) {
        requireEverywhere(apiCall, Permission.ADMINISTER);
        var name = apiCall.jsonBody().required("name");
        var address = apiCall.jsonBody().required("address");
        await(node.log().addMember(parseMember(name, address)));
        return members();
    }

    private static Member parseMember(String name, String address) {
        try {
            return new Member(Member.parseNode(name), Member.parseAddress(address, address));
        } catch (IllegalArgumentException wrong) {
            throw ApiException.badRequest(
                    String.valueOf(wrong.getMessage()), "as in {\"name\": \"n4\", \"address\": \"10.0.0.4:7601\"}");
        }
    }

    private Members remove(ApiCall apiCall) {
        requireEverywhere(apiCall, Permission.ADMINISTER);
        try {
            await(node.log().removeMember(Member.parseNode(apiCall.name())));
        } catch (IllegalArgumentException wrong) {
            throw ApiException.badRequest(String.valueOf(wrong.getMessage()), "GET /members shows all");
        }
        return members();
    }

    private Route.RawResponse backup(ApiCall apiCall) {
        requireEverywhere(apiCall, Permission.ADMINISTER);
        return new Route.RawResponse(
                "application/octet-stream", StorageFormat.encode(node.loop().table()));
    }

    private static Route.RawResponse openApi() {
        try (var file = Objects.requireNonNull(AdminApi.class.getResourceAsStream("openapi.json"))) {
            return new Route.RawResponse(ErrorHandler.JSON, file.readAllBytes());
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
                case ProposalRejectedException proposalRejectedException ->
                    new ApiException(
                            409,
                            "refused",
                            String.valueOf(proposalRejectedException.getMessage()),
                            "GET /status tells how it is");
                case IndeterminateOutcomeException indeterminateOutcomeException -> TicketErrors.noMajority();
                case null, default -> new IllegalStateException(failed);
            };
        }
    }
}
