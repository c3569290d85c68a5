package habemus.service.http;

import habemus.fenced.Name;
import habemus.fenced.Table;
import habemus.fenced.Talk;
import habemus.fenced.Want;
import habemus.fenced.Wish;
import habemus.protocol.NodeId;
import habemus.service.http.Answers.LeaderOf;
import habemus.service.http.Answers.Leaders;
import habemus.service.http.Answers.LocksTicket;
import habemus.service.http.Answers.LogChange;
import habemus.service.http.Answers.SemaphoreTicket;
import habemus.service.http.Answers.Semaphores;
import habemus.service.http.Answers.TicketOf;
import habemus.service.session.Access;
import habemus.service.session.Connection;
import habemus.service.session.FencedNode;
import habemus.service.session.Visitor.Right;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node of the production service. */
final class FencedOffice implements Office {

    private static final int NAME_MAX = 200; // characters

    private final FencedNode node;
    private final String me;
    private final Tickets tickets;
    private final Neighbours neighbours;
    private final Administration administration;
    private final Map<Watch, Connection> watchers = new ConcurrentHashMap<>();

    FencedOffice(FencedNode node) {
        this.node = node;
        me = node.config().me().toString();
        tickets = new Tickets(node.reception());
        neighbours = new Neighbours(node);
        administration = new Administration(node);
    }

    @Override
    public Access access() {
        return node.access();
    }

    @Override
    public void reachableAt(String http) {
        neighbours.reachableAt(http);
    }

    private Table table() {
        return node.reception().table();
    }

    private Views views() {
        return new Views(table());
    }

    @Override
    public Object health() {
        if (node.failure().isDone()) {
            throw new Trouble(503, "failed", "this node has stopped by itself", "its log says why");
        }
        return neighbours.health();
    }

    @Override
    public Object status(Call call) {
        return neighbours.status();
    }

    private static Name name(Name.Kind kind, String text) {
        if (text.isBlank() || text.length() > NAME_MAX || text.chars().anyMatch(Character::isISOControl)) {
            throw Trouble.wrong("this is no name", "it has 1 to " + NAME_MAX + " characters that can be seen");
        }
        return new Name(kind, text);
    }

    /** What the call names, if it may be looked at. */
    private Name seen(Name.Kind kind, Call call) {
        var name = name(kind, call.name());
        Administration.require(access(), call, Right.INSPECT, name);
        return name;
    }

    private List<Name> all(Name.Kind kind, Call call) {
        return table().names("").stream()
                .filter(name -> name.kind() == kind && call.visitor().may(Right.INSPECT, name))
                .toList();
    }

    @Override
    public Answers.Locks locks(Call call) {
        var views = views();
        return new Answers.Locks(
                all(Name.Kind.LOCK, call).stream().map(views::lock).toList(), List.of());
    }

    @Override
    public Object lock(Call call) {
        var name = seen(Name.Kind.LOCK, call);
        var story = views().story(name);
        if (story.history().isEmpty() && !table().locks().contains(name)) {
            throw Trouble.unknown(
                    "nobody has a lock of this name, or waits for it, or had it lately",
                    "GET /locks shows all; acquire begins one");
        }
        return story;
    }

    @Override
    public Leaders leaders(Call call) {
        var views = views();
        return new Leaders(
                all(Name.Kind.ELECTION, call).stream().map(views::leader).toList(), List.of());
    }

    @Override
    public LeaderOf leader(Call call) {
        var name = seen(Name.Kind.ELECTION, call);
        if (!table().locks().contains(name)) {
            throw Trouble.unknown("nobody leads there, or wants to", "GET /leaders shows all; stand begins one");
        }
        return views().leader(name);
    }

    private Semaphores semaphores(Call call) {
        var views = views();
        return new Semaphores(
                all(Name.Kind.SEMAPHORE, call).stream().map(views::semaphore).toList());
    }

    private Object semaphore(Call call) {
        var name = seen(Name.Kind.SEMAPHORE, call);
        if (!table().locks().contains(name)) {
            throw Trouble.unknown(
                    "nobody has permits there, or waits for some", "GET /semaphores shows all; acquire begins one");
        }
        return views().semaphore(name);
    }

    @Override
    public List<String> wish() {
        return List.of("client", "wait", "lease", "ticket");
    }

    private static List<String> with(List<String> members, String... more) {
        var all = new ArrayList<>(members);
        all.addAll(List.of(more));
        return List.copyOf(all);
    }

    @Override
    public List<String> lockWish() {
        return with(wish(), "mode");
    }

    @Override
    public List<String> standWish() {
        return with(wish(), "rank");
    }

    @Override
    public List<Route> more() {
        var routes = new ArrayList<>(List.of(
                Route.get("/semaphores", this::semaphores),
                Route.get("/semaphores/{name}", this::semaphore),
                Route.post("/locks/acquire", with(wish(), "locks"), this::acquireAll),
                Route.post("/semaphores/{name}/acquire", with(wish(), "permits", "size"), this::acquirePermits)));
        routes.addAll(administration.routes());
        return routes;
    }

    @Override
    public Object acquire(Call call) {
        return take(
                call, lock(name(Name.Kind.LOCK, call.name()).text(), call.body().text("mode")), 0);
    }

    private static Want lock(String name, Optional<String> mode) {
        return switch (mode.orElse("exclusive")) {
            case "exclusive" -> Want.exclusive(name);
            case "shared" -> Want.shared(name);
            default -> throw Trouble.wrong("there is no mode '" + mode.get() + "'", "it is exclusive, or shared");
        };
    }

    private Object acquireAll(Call call) {
        var wants = call.body().texts("locks").stream()
                .map(text -> Want.exclusive(name(Name.Kind.LOCK, text).text()))
                .toList();
        return describe(tickets.take(call, new Wish.Acquire(wants, true, 0)));
    }

    private Object acquirePermits(Call call) {
        int size = (int) call.body().number("size", 1, 1, Integer.MAX_VALUE);
        int permits = (int) call.body().number("permits", 1, 1, size);
        var name = name(Name.Kind.SEMAPHORE, call.name()).text();
        return take(call, Want.permits(name, permits, size), 0);
    }

    @Override
    public Object stand(Call call) {
        int rank = (int) call.body().number("rank", 0, Integer.MIN_VALUE, Integer.MAX_VALUE);
        return take(call, Want.leadership(name(Name.Kind.ELECTION, call.name()).text()), rank);
    }

    private Object take(Call call, Want want, int rank) {
        return describe(tickets.take(call, new Wish.Acquire(List.of(want), true, rank)));
    }

    @Override
    public Object look(Call call) {
        return describe(tickets.look(call));
    }

    @Override
    public Object renew(Call call) {
        return describe(tickets.renew(call));
    }

    @Override
    public Object release(Call call) {
        return describe(tickets.end(call, false));
    }

    @Override
    public Object resign(Call call) {
        return describe(tickets.end(call, true));
    }

    /** A ticket in the form that fits what it is about. */
    private Object describe(Seat seat) {
        var state = seat.look(table());
        boolean over = !state.equals("held");
        Long fence = seat.fence() == 0 ? null : (Long) seat.fence();
        Long left = over ? (Long) 0L : seat.left().orElse(null);
        var names = seat.wants().stream().map(Want::name).toList();
        if (names.size() > 1) {
            var texts = names.stream().map(Name::text).toList();
            return new LocksTicket(seat.id, texts, seat.client(), me, state, fence, left);
        }
        var name = names.isEmpty() ? null : names.getFirst();
        if (name != null && name.kind() == Name.Kind.SEMAPHORE) {
            int permits = seat.wants().getFirst().units();
            return new SemaphoreTicket(seat.id, name.text(), permits, seat.client(), me, state, fence, left);
        }
        boolean elects = seat.isElection();
        return new TicketOf(
                seat.id,
                elects ? null : text(name),
                elects ? text(name) : null,
                seat.client(),
                me,
                state,
                elects ? null : fence,
                elects ? fence : null,
                left);
    }

    private static @Nullable String text(@Nullable Name name) {
        return name == null ? null : name.text();
    }

    /** The same at every node, so that the scope says nothing here. */
    @Override
    public void watch(Call call, Watch watch, boolean everywhere) {
        var connection = node.reception()
                .connect(
                        call.visitor(),
                        replies -> replies.forEach(reply -> {
                            if (reply instanceof Talk.Changed(var name)) {
                                watch.put(name, change(name));
                            }
                        }))
                .orElseThrow(() -> new Trouble(429, "too-many", "this node has too many clients", "try another node"));
        watchers.put(watch, connection);
        connection.say(new Talk.Watch());
        log(watch);
        for (Name.Kind kind : Name.Kind.values()) {
            all(kind, call).forEach(name -> watch.put(name, change(name)));
        }
    }

    private Supplier<Watch.Change> change(Name name) {
        return () -> views().change(me, name);
    }

    private void log(Watch watch) {
        watch.put(
                "log",
                () -> new Watch.Change(
                        "log",
                        new LogChange(
                                me,
                                node.reception().leader().map(NodeId::toString).orElse(null)),
                        false));
    }

    @Override
    public void stirred(Watch watch) {
        log(watch);
    }

    @Override
    public void unwatch(Watch watch) {
        var connection = watchers.remove(watch);
        if (connection != null) {
            connection.close();
        }
    }

    @Override
    public void close() {
        tickets.close();
    }
}
