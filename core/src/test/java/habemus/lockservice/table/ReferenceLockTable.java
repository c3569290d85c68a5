package habemus.lockservice.table;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.Holder;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.SessionOrigin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A second implementation of the lock table, with plain lists that it searches completely for every question. */
final class ReferenceLockTable {

    /** @param fence zero while the request waits */
    private record Acquire(
            RequestId request, List<ResourceShare> shares, int rank, long index, long fence, long since) {}

    private record Session(
            long id,
            ClientInfo client,
            long nonce,
            long renewedAt,
            long acknowledgedUpTo,
            NavigableMap<Long, OperationResult> results,
            NavigableMap<Long, OperationResult> revoked) {}

    private final List<Session> sessions = new ArrayList<>();
    private final List<Acquire> acquires = new ArrayList<>();
    private final List<Notification> notifications = new ArrayList<>();
    private long index;
    private long now;

    /** {@return all notifications except {@link Notification.ResourceChanged}} */
    List<Notification> apply(Command command, long time) {
        notifications.clear();
        index++;
        now = time;
        switch (command) {
            case Command.OpenSession(var nonce, var client, var lease, var origin) -> {
                if (origin instanceof SessionOrigin.Successor successor) {
                    replace(successor);
                }
                sessions.add(new Session(index, client, nonce, index, 0, new TreeMap<>(), new TreeMap<>()));
                notifications.add(new Notification.SessionOpened(nonce, index));
            }
            case Command.RenewSessions(var renewals) ->
                renewals.forEach(renewal -> notifications.add(
                        renew(renewal.session(), 0)
                                ? new Notification.SessionRenewed(renewal.session(), renewal.number())
                                : new Notification.SessionExpired(renewal.session())));
            case Command.Submit submit -> {
                if (!renew(submit.session(), submit.acknowledgedUpTo())) {
                    notifications.add(new Notification.SessionExpired(submit.session()));
                } else if (!isRepeated(new RequestId(submit.session(), submit.number()))) {
                    execute(new RequestId(submit.session(), submit.number()), submit.operation());
                }
            }
            case Command.ExpireSession(var id, var lastRenewedAt) -> {
                if (sessions.stream().anyMatch(session -> session.id == id && session.renewedAt <= lastRenewedAt)) {
                    end(id);
                }
            }
            case Command.AdminCommand admin -> administer(admin);
            case Command.SetQuotas quotas -> {} // it refuses nothing
            case Command.RecordDenial denial -> {}
        }
        grantWaiters();
        return List.copyOf(notifications);
    }

    private void replace(SessionOrigin.Successor successor) {
        long id = successor.session();
        if (sessions.stream()
                .noneMatch(session -> session.id == id
                        && session.nonce == successor.nonce()
                        && session.acknowledgedUpTo < Long.MAX_VALUE)) {
            return;
        }
        var known = holding()
                .filter(acquire ->
                        acquire.request.session() == id && successor.known().contains(acquire.request.number()))
                .toList();
        if (known.isEmpty()) {
            end(id);
            return;
        }
        for (var acquire : List.copyOf(acquires)) {
            if (acquire.request.session() == id && !known.contains(acquire)) {
                acquires.remove(acquire);
                publish(acquire.request, new OperationResult.Cancelled());
            }
        }
        sessions.replaceAll(session -> session.id != id
                ? session
                : new Session(
                        id,
                        session.client,
                        session.nonce,
                        session.renewedAt,
                        Long.MAX_VALUE,
                        new TreeMap<>(),
                        session.revoked));
    }

    private boolean renew(long id, long acknowledgedUpTo) {
        if (sessions.stream().anyMatch(session -> session.id == id && session.acknowledgedUpTo == Long.MAX_VALUE)) {
            return false;
        }
        sessions.replaceAll(session -> session.id != id
                ? session
                : new Session(
                        id,
                        session.client,
                        session.nonce,
                        index,
                        Math.max(acknowledgedUpTo, session.acknowledgedUpTo),
                        session.results,
                        session.revoked));
        sessions.forEach(session ->
                session.results.headMap(session.acknowledgedUpTo, true).clear());
        return sessions.stream().anyMatch(session -> session.id == id);
    }

    private Session session(RequestId request) {
        return sessions.stream()
                .filter(session -> session.id == request.session())
                .findFirst()
                .orElseThrow();
    }

    private boolean isRepeated(RequestId request) {
        var known = acquires.stream()
                .filter(acquire -> acquire.request.equals(request))
                .findFirst();
        var session = session(request);
        if (known.isPresent()) {
            publish(
                    request,
                    known.get().fence == 0
                            ? new OperationResult.Waiting()
                            : new OperationResult.Granted(known.get().fence));
        } else if (request.number() <= session.acknowledgedUpTo) {
            publish(request, session.revoked.getOrDefault(request.number(), new OperationResult.Released()));
        } else {
            var stored = Optional.ofNullable(session.results.get(request.number()));
            stored.ifPresent(result -> publish(request, result));
            return stored.isPresent();
        }
        return true;
    }

    private void execute(RequestId request, Operation operation) {
        switch (operation) {
            case Operation.Acquire(var shares, var waitInQueue, var rank) ->
                acquire(request, shares, waitInQueue, rank);
            case Operation.Release(var number, var fence) ->
                release(request, new RequestId(request.session(), number), fence);
            case Operation.Transfer(var number, var to) -> {
                var leading = new RequestId(request.session(), number);
                var election = holding()
                        .filter(acquire -> acquire.request.equals(leading))
                        .map(acquire -> acquire.shares.getFirst().name())
                        .filter(held -> held.kind() == ResourceName.Kind.ELECTION)
                        .findFirst();
                finish(
                        request,
                        election.isEmpty()
                                ? new OperationResult.Rejected(OperationResult.RejectionReason.NOT_LEADER)
                                : transfer(leading, election.get(), to, new OperationResult.Released())
                                        ? new OperationResult.Released()
                                        : new OperationResult.Rejected(OperationResult.RejectionReason.NO_CANDIDATE));
            }
            case Operation.Close() -> {
                publish(request, new OperationResult.Closed());
                end(request.session());
            }
            case Operation.Abandon abandon -> publish(request, new OperationResult.Closed());
        }
    }

    private void release(RequestId request, RequestId ended, long fence) {
        boolean isOfAnotherGrant = fence != 0
                && acquires.stream().anyMatch(acquire -> acquire.request.equals(ended) && acquire.fence != fence);
        if (!isOfAnotherGrant) {
            endAcquire(ended, new OperationResult.Released());
            if (session(ended).revoked.remove(ended.number()) != null) {
                session(ended).results.replace(ended.number(), new OperationResult.Released());
            }
            store(ended, new OperationResult.Cancelled());
        }
        finish(request, new OperationResult.Released());
    }

    private void acquire(RequestId request, List<ResourceShare> shares, boolean waitInQueue, int rank) {
        var names = shares.stream().map(ResourceShare::name).distinct().toList();
        boolean isElection = names.stream().anyMatch(name -> name.kind() == ResourceName.Kind.ELECTION);
        var acquire = new Acquire(request, shares, isElection ? rank : 0, index, 0, now);
        var used = acquires.stream().flatMap(other -> other.shares.stream()).toList();
        if (names.isEmpty() || names.size() < shares.size() || isElection && names.size() > 1) {
            finish(request, new OperationResult.Rejected(OperationResult.RejectionReason.INVALID_COMBINATION));
        } else if (shares.stream()
                .anyMatch(share -> used.stream()
                        .anyMatch(other -> other.name().equals(share.name()) && other.size() != share.size()))) {
            finish(request, new OperationResult.Rejected(OperationResult.RejectionReason.SIZE_MISMATCH));
        } else if (waitInQueue || canBeGranted(acquire, shares)) {
            acquires.add(acquire);
            if (!canBeGranted(acquire, shares)) {
                publish(request, new OperationResult.Waiting());
            }
        } else {
            finish(
                    request,
                    new OperationResult.Busy(shares.stream()
                            .filter(share -> !canBeGranted(acquire, List.of(share)))
                            .flatMap(this::holders)
                            .toList()));
        }
    }

    private Stream<Acquire> holding() {
        return List.copyOf(acquires).stream().filter(acquire -> acquire.fence > 0);
    }

    private Stream<Acquire> queue() {
        return List.copyOf(acquires).stream()
                .filter(acquire -> acquire.fence == 0)
                .sorted(Comparator.comparingInt((Acquire acquire) -> -acquire.rank)
                        .thenComparingLong(acquire -> acquire.index));
    }

    private static int units(Acquire acquire, ResourceName name) {
        return acquire.shares.stream()
                .filter(share -> share.name().equals(name))
                .mapToInt(ResourceShare::units)
                .sum();
    }

    private Stream<Holder> holders(ResourceShare share) {
        return holding()
                .filter(acquire -> units(acquire, share.name()) > 0)
                .sorted(Comparator.comparing(Acquire::request))
                .map(acquire -> new Holder(
                        acquire.request,
                        session(acquire.request).client,
                        units(acquire, share.name()),
                        acquire.fence,
                        acquire.since));
    }

    private boolean canBeGranted(Acquire acquire, List<ResourceShare> shares) {
        return shares.stream().allMatch(share -> {
            long inUse =
                    holding().mapToLong(other -> units(other, share.name())).sum();
            var first = queue().filter(other -> units(other, share.name()) > 0).findFirst();
            return first.filter(other -> !other.equals(acquire)).isEmpty() && inUse + share.units() <= share.size();
        });
    }

    private void grantWaiters() {
        var next =
                queue().filter(acquire -> canBeGranted(acquire, acquire.shares)).findFirst();
        while (next.isPresent()) {
            grant(next.get());
            next = queue().filter(acquire -> canBeGranted(acquire, acquire.shares))
                    .findFirst();
        }
    }

    private void grant(Acquire acquire) {
        acquires.remove(acquire);
        acquires.add(new Acquire(acquire.request, acquire.shares, acquire.rank, acquire.index, index, now));
        publish(acquire.request, new OperationResult.Granted(index));
    }

    private void endAcquire(RequestId request, OperationResult result) {
        acquires.stream()
                .filter(acquire -> acquire.request.equals(request))
                .findFirst()
                .ifPresent(acquire -> {
                    store(request, acquire.fence == 0 ? new OperationResult.Cancelled() : result);
                    if (result instanceof OperationResult.Revoked) {
                        session(request).revoked.put(request.number(), result);
                    }
                });
        acquires.removeIf(acquire -> acquire.request.equals(request));
    }

    private boolean transfer(RequestId leading, ResourceName election, String to, OperationResult result) {
        var successor = queue().filter(acquire -> units(acquire, election) > 0)
                .filter(acquire -> session(acquire.request).client.name().equals(to))
                .findFirst();
        successor.ifPresent(acquire -> {
            endAcquire(leading, result);
            grant(acquire);
        });
        return successor.isPresent();
    }

    private void end(long id) {
        acquires.removeIf(acquire -> acquire.request.session() == id);
        if (sessions.removeIf(session -> session.id == id)) {
            notifications.add(new Notification.SessionExpired(id));
        }
    }

    private void administer(Command.AdminCommand command) {
        var result = new OperationResult.Revoked(command.operator(), command.reason());
        switch (command.action()) {
            case Command.AdminAction.Performed performed -> {}
            case Command.AdminAction.Expire(var session) -> {
                holding()
                        .filter(acquire -> acquire.request.session() == session)
                        .sorted(Comparator.comparingLong(acquire -> acquire.request.number()))
                        .forEach(acquire -> publish(acquire.request, result));
                end(session);
            }
            case Command.AdminAction.Release(var name, var upTo) ->
                holding()
                        .filter(acquire -> units(acquire, name) > 0 && acquire.fence <= upTo)
                        .forEach(acquire -> {
                            endAcquire(acquire.request, result);
                            publish(acquire.request, result);
                        });
            case Command.AdminAction.Transfer(var election, var upTo, var to) ->
                holding()
                        .filter(acquire -> units(acquire, ResourceName.election(election)) > 0 && acquire.fence <= upTo)
                        .filter(acquire -> transfer(acquire.request, ResourceName.election(election), to, result))
                        .forEach(acquire -> publish(acquire.request, result));
        }
    }

    private void store(RequestId request, OperationResult result) {
        if (request.number() > session(request).acknowledgedUpTo) {
            session(request).results.putIfAbsent(request.number(), result);
        }
    }

    private void finish(RequestId request, OperationResult result) {
        store(request, result);
        publish(request, result);
    }

    private void publish(RequestId request, OperationResult result) {
        notifications.add(new Notification.Result(request.session(), request.number(), result));
    }
}
