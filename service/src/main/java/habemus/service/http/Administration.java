package habemus.service.http;

import habemus.archive.Archive;
import habemus.fenced.Command;
import habemus.fenced.Command.Order;
import habemus.fenced.Holder;
import habemus.fenced.Name;
import habemus.service.http.Answers.AuditOf;
import habemus.service.http.Answers.Audits;
import habemus.service.http.Answers.Deadlocks;
import habemus.service.http.Answers.MemberOf;
import habemus.service.http.Answers.Members;
import habemus.service.http.Answers.Sessions;
import habemus.service.log.Refused;
import habemus.service.log.Undecided;
import habemus.service.net.Member;
import habemus.service.session.Access;
import habemus.service.session.FencedNode;
import habemus.service.session.Visitor;
import habemus.service.session.Visitor.Right;
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
final class Administration {

    private static final List<String> WHY = List.of("operator", "reason");
    private static final List<String> WHOM = List.of("fence", "operator", "reason");
    private static final long PATIENCE = 12; // seconds: longer than that of the log

    private final FencedNode node;

    Administration(FencedNode node) {
        this.node = node;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/sessions", this::sessions),
                Route.get("/deadlocks", this::deadlocks),
                Route.get("/audit", this::audit),
                Route.get("/members", call -> members()),
                Route.get("/backup", this::backup),
                Route.get("/metrics", call -> Metrics.of(node)),
                Route.get("/openapi.json", call -> openApi()),
                Route.post("/locks/{name}/release", WHOM, call -> release(Name.Kind.LOCK, call)),
                Route.post("/semaphores/{name}/release", WHOM, call -> release(Name.Kind.SEMAPHORE, call)),
                Route.post("/leaders/{name}/release", WHOM, call -> release(Name.Kind.ELECTION, call)),
                Route.post("/leaders/{name}/transfer", List.of("to", "fence", "operator", "reason"), this::transfer),
                Route.post("/sessions/{id}/expire", WHY, this::expire),
                Route.post("/members", List.of("name", "address"), this::add),
                Route.delete("/members/{name}", this::remove));
    }

    /** @throws Trouble if the visitor has no such right */
    static void require(Access access, Call call, Right right, Name name) {
        if (!call.visitor().may(right, name)) {
            throw forbid(access, call, right + " " + name);
        }
    }

    private void requireEverywhere(Call call, Right right) {
        if (!call.visitor().mayEverywhere(right)) {
            throw forbid(node.access(), call, right + " everything");
        }
    }

    private static Trouble forbid(Access access, Call call, String what) {
        access.refuse(call.visitor().name(), call.host(), what);
        return new Trouble(
                403, "forbidden", "you have no right to " + what.toLowerCase(Locale.ROOT), "ask for the right");
    }

    private Views views() {
        return new Views(node.reception().table());
    }

    private Sessions sessions(Call call) {
        requireEverywhere(call, Right.INSPECT);
        return new Sessions(views().sessions());
    }

    private Deadlocks deadlocks(Call call) {
        requireEverywhere(call, Right.INSPECT);
        return new Deadlocks(views().deadlocks());
    }

    private Audits audit(Call call) {
        requireEverywhere(call, Right.INSPECT);
        return new Audits(views().audit());
    }

    private AuditOf release(Name.Kind kind, Call call) {
        var name = new Name(kind, call.name());
        require(node.access(), call, Right.ADMINISTER, name);
        return force(call, new Order.Release(name, meant(call, name)));
    }

    private AuditOf transfer(Call call) {
        var name = Name.election(call.name());
        require(node.access(), call, Right.ADMINISTER, name);
        return force(
                call,
                new Order.Transfer(name.text(), meant(call, name), call.body().required("to")));
    }

    /** The fence of whom the operator has seen there; if it is not said, of whoever is there now. */
    private long meant(Call call, Name name) {
        var table = node.reception().table();
        long now = table.holders(name).stream().mapToLong(Holder::fence).max().orElse(table.index());
        return call.body().number("fence", now, 1, Long.MAX_VALUE);
    }

    private AuditOf expire(Call call) {
        requireEverywhere(call, Right.ADMINISTER);
        if (!call.id().matches("[1-9]\\d{0,17}")) {
            throw Trouble.wrong("this is no session", "GET /sessions shows all");
        }
        return force(call, new Order.Expire(Long.parseLong(call.id())));
    }

    private AuditOf force(Call call, Order order) {
        var force = new Command.Force(order, operator(call), call.body().required("reason"));
        var after = await(node.reception().force(force));
        return new Views(after)
                .audit(force)
                .orElseThrow(() -> new IllegalStateException("what was done is not in the audit"));
    }

    /** Who is known cannot act under another name. */
    private static String operator(Call call) {
        var said = call.body().text("operator");
        if (call.visitor().equals(Visitor.ANYBODY)) {
            return said.orElseGet(() -> call.body().required("operator"));
        }
        return call.visitor().name() + said.map(name -> " (" + name + ")").orElse("");
    }

    private Members members() {
        return new Members(node.log().members().stream()
                .map(member -> new MemberOf(
                        member.node().toString(),
                        member.address().getHostString() + ":"
                                + member.address().getPort()))
                .toList());
    }

    private Members add(Call call) {
        requireEverywhere(call, Right.ADMINISTER);
        var name = call.body().required("name");
        var address = call.body().required("address");
        await(node.log().add(checked(name, address)));
        return members();
    }

    private static Member checked(String name, String address) {
        try {
            return new Member(Member.node(name), Member.address(address, address));
        } catch (IllegalArgumentException wrong) {
            throw Trouble.wrong(
                    String.valueOf(wrong.getMessage()), "as in {\"name\": \"n4\", \"address\": \"10.0.0.4:7601\"}");
        }
    }

    private Members remove(Call call) {
        requireEverywhere(call, Right.ADMINISTER);
        try {
            await(node.log().remove(Member.node(call.name())));
        } catch (IllegalArgumentException wrong) {
            throw Trouble.wrong(String.valueOf(wrong.getMessage()), "GET /members shows all");
        }
        return members();
    }

    private Route.Raw backup(Call call) {
        requireEverywhere(call, Right.ADMINISTER);
        return new Route.Raw(
                "application/octet-stream", Archive.write(node.reception().table()));
    }

    private static Route.Raw openApi() {
        try (var file = Objects.requireNonNull(Administration.class.getResourceAsStream("openapi.json"))) {
            return new Route.Raw(Errors.JSON, file.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw TicketTrouble.noMajority();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw TicketTrouble.noMajority();
        } catch (ExecutionException failed) {
            throw switch (failed.getCause()) {
                case Refused refused ->
                    new Trouble(409, "refused", String.valueOf(refused.getMessage()), "GET /status tells how it is");
                case Undecided undecided -> TicketTrouble.noMajority();
                case null, default -> new IllegalStateException(failed);
            };
        }
    }
}
