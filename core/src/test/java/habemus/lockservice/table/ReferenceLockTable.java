package habemus.lockservice.table;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.Holder;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The rules of the table once more, with plain lists that are searched from end to end for every question. */
final class ReferenceLockTable {

    /** @param fence zero while it waits */
    private record Entrant(
            RequestId requestId, List<ResourceShare> resourceShares, int rank, long index, long fence, long since) {}

    private record Member(
            long id,
            ClientInfo clientInfo,
            long heard,
            long settled,
            NavigableMap<Long, OperationResult> said,
            NavigableMap<Long, OperationResult> taken) {}

    private final List<Member> members = new ArrayList<>();
    private final List<Entrant> entrants = new ArrayList<>();
    private final List<Notification> notification = new ArrayList<>();
    private long index;
    private long at;

    /** All but what has changed. */
    List<Notification> apply(Command command, long time) {
        notification.clear();
        index++;
        at = time;
        switch (command) {
            case Command.OpenSession(var nonce, var clientInfo, var lease) -> {
                members.add(new Member(index, clientInfo, index, 0, new TreeMap<>(), new TreeMap<>()));
                notification.add(new Notification.SessionOpened(nonce, index));
            }
            case Command.RenewSessions(var renewals) ->
                renewals.forEach(one -> notification.add(
                        hear(one.session(), 0)
                                ? new Notification.SessionRenewed(one.session(), one.number())
                                : new Notification.SessionExpired(one.session())));
            case Command.Submit submit -> {
                if (!hear(submit.session(), submit.acknowledgedUpTo())) {
                    notification.add(new Notification.SessionExpired(submit.session()));
                } else if (!repeated(new RequestId(submit.session(), submit.number()))) {
                    fulfil(new RequestId(submit.session(), submit.number()), submit.operation());
                }
            }
            case Command.ExpireSession(var session, var asOf) -> {
                if (members.stream().anyMatch(one -> one.id == session && one.heard <= asOf)) {
                    end(session);
                }
            }
            case Command.AdminCommand adminCommand -> force(adminCommand);
        }
        serve();
        return List.copyOf(notification);
    }

    private boolean hear(long session, long settled) {
        members.replaceAll(one -> one.id != session
                ? one
                : new Member(session, one.clientInfo, index, Math.max(settled, one.settled), one.said, one.taken));
        members.forEach(one -> one.said.headMap(one.settled, true).clear());
        return members.stream().anyMatch(one -> one.id == session);
    }

    private Member member(RequestId requestId) {
        return members.stream()
                .filter(one -> one.id == requestId.session())
                .findFirst()
                .orElseThrow();
    }

    private boolean repeated(RequestId requestId) {
        var open =
                entrants.stream().filter(one -> one.requestId.equals(requestId)).findFirst();
        var member = member(requestId);
        if (open.isPresent()) {
            tell(
                    requestId,
                    open.get().fence == 0
                            ? new OperationResult.Waiting()
                            : new OperationResult.Granted(open.get().fence));
        } else if (requestId.number() <= member.settled) {
            tell(requestId, member.taken.getOrDefault(requestId.number(), new OperationResult.Released()));
        } else {
            var said = Optional.ofNullable(member.said.get(requestId.number()));
            said.ifPresent(operationResult -> tell(requestId, operationResult));
            return said.isPresent();
        }
        return true;
    }

    private void fulfil(RequestId requestId, Operation operation) {
        switch (operation) {
            case Operation.Acquire(var resourceShares, var patient, var rank) ->
                acquire(requestId, resourceShares, patient, rank);
            case Operation.Release(var number) -> {
                var over = new RequestId(requestId.session(), number);
                leave(over, new OperationResult.Released());
                if (member(over).taken.remove(over.number()) != null) {
                    member(over).said.replace(over.number(), new OperationResult.Released());
                }
                keep(over, new OperationResult.Cancelled());
                answer(requestId, new OperationResult.Released());
            }
            case Operation.Transfer(var number, var to) -> {
                var leading = new RequestId(requestId.session(), number);
                var resourceName = inside().filter(one -> one.requestId.equals(leading))
                        .map(one -> one.resourceShares.getFirst().resourceName())
                        .filter(one -> one.kind() == ResourceName.Kind.ELECTION)
                        .findFirst();
                answer(
                        requestId,
                        resourceName.isEmpty()
                                ? new OperationResult.Rejected(OperationResult.RejectionReason.NOT_LEADER)
                                : succeed(leading, resourceName.get(), to, new OperationResult.Released())
                                        ? new OperationResult.Released()
                                        : new OperationResult.Rejected(OperationResult.RejectionReason.NO_CANDIDATE));
            }
            case Operation.Close() -> {
                tell(requestId, new OperationResult.Closed());
                end(requestId.session());
            }
        }
    }

    private void acquire(RequestId requestId, List<ResourceShare> resourceShares, boolean patient, int rank) {
        var resourceNames = resourceShares.stream()
                .map(ResourceShare::resourceName)
                .distinct()
                .toList();
        boolean elects =
                resourceNames.stream().anyMatch(resourceName -> resourceName.kind() == ResourceName.Kind.ELECTION);
        var entrant = new Entrant(requestId, resourceShares, elects ? rank : 0, index, 0, at);
        var used = entrants.stream().flatMap(one -> one.resourceShares.stream()).toList();
        if (resourceNames.isEmpty()
                || resourceNames.size() < resourceShares.size()
                || elects && resourceNames.size() > 1) {
            answer(requestId, new OperationResult.Rejected(OperationResult.RejectionReason.INVALID_COMBINATION));
        } else if (resourceShares.stream()
                .anyMatch(resourceShare -> used.stream()
                        .anyMatch(other -> other.resourceName().equals(resourceShare.resourceName())
                                && other.size() != resourceShare.size()))) {
            answer(requestId, new OperationResult.Rejected(OperationResult.RejectionReason.SIZE_MISMATCH));
        } else if (patient || mayEnter(entrant, resourceShares)) {
            entrants.add(entrant);
            if (!mayEnter(entrant, resourceShares)) {
                tell(requestId, new OperationResult.Waiting());
            }
        } else {
            answer(
                    requestId,
                    new OperationResult.Busy(resourceShares.stream()
                            .filter(resourceShare -> !mayEnter(entrant, List.of(resourceShare)))
                            .flatMap(this::holders)
                            .toList()));
        }
    }

    private Stream<Entrant> inside() {
        return List.copyOf(entrants).stream().filter(one -> one.fence > 0);
    }

    private Stream<Entrant> line() {
        return List.copyOf(entrants).stream()
                .filter(one -> one.fence == 0)
                .sorted(Comparator.comparingInt((Entrant one) -> -one.rank).thenComparingLong(one -> one.index));
    }

    private static int units(Entrant entrant, ResourceName resourceName) {
        return entrant.resourceShares.stream()
                .filter(resourceShare -> resourceShare.resourceName().equals(resourceName))
                .mapToInt(ResourceShare::units)
                .sum();
    }

    private Stream<Holder> holders(ResourceShare resourceShare) {
        return inside().filter(one -> units(one, resourceShare.resourceName()) > 0)
                .sorted(Comparator.comparing(Entrant::requestId))
                .map(one -> new Holder(
                        one.requestId,
                        member(one.requestId).clientInfo,
                        units(one, resourceShare.resourceName()),
                        one.fence,
                        one.since));
    }

    private boolean mayEnter(Entrant entrant, List<ResourceShare> resourceShares) {
        return resourceShares.stream().allMatch(resourceShare -> {
            long taken = inside().mapToLong(one -> units(one, resourceShare.resourceName()))
                    .sum();
            var first = line().filter(one -> units(one, resourceShare.resourceName()) > 0)
                    .findFirst();
            return first.filter(one -> !one.equals(entrant)).isEmpty()
                    && taken + resourceShare.units() <= resourceShare.size();
        });
    }

    private void serve() {
        var next = line().filter(one -> mayEnter(one, one.resourceShares)).findFirst();
        while (next.isPresent()) {
            enter(next.get());
            next = line().filter(one -> mayEnter(one, one.resourceShares)).findFirst();
        }
    }

    private void enter(Entrant one) {
        entrants.remove(one);
        entrants.add(new Entrant(one.requestId, one.resourceShares, one.rank, one.index, index, at));
        tell(one.requestId, new OperationResult.Granted(index));
    }

    private void leave(RequestId requestId, OperationResult operationResult) {
        entrants.stream()
                .filter(one -> one.requestId.equals(requestId))
                .findFirst()
                .ifPresent(one -> {
                    keep(requestId, one.fence == 0 ? new OperationResult.Cancelled() : operationResult);
                    if (operationResult instanceof OperationResult.Revoked) {
                        member(requestId).taken.put(requestId.number(), operationResult);
                    }
                });
        entrants.removeIf(one -> one.requestId.equals(requestId));
    }

    private boolean succeed(RequestId leading, ResourceName election, String to, OperationResult operationResult) {
        var heir = line().filter(one -> units(one, election) > 0)
                .filter(one -> member(one.requestId).clientInfo.name().equals(to))
                .findFirst();
        heir.ifPresent(one -> {
            leave(leading, operationResult);
            enter(one);
        });
        return heir.isPresent();
    }

    private void end(long session) {
        entrants.removeIf(one -> one.requestId.session() == session);
        if (members.removeIf(one -> one.id == session)) {
            notification.add(new Notification.SessionExpired(session));
        }
    }

    private void force(Command.AdminCommand adminCommand) {
        var revoked = new OperationResult.Revoked(adminCommand.operator(), adminCommand.reason());
        switch (adminCommand.action()) {
            case Command.AdminAction.Expire(var session) -> end(session);
            case Command.AdminAction.Release(var resourceName, var asOf) ->
                inside().filter(one -> units(one, resourceName) > 0 && one.fence <= asOf)
                        .forEach(one -> {
                            leave(one.requestId, revoked);
                            tell(one.requestId, revoked);
                        });
            case Command.AdminAction.Transfer(var election, var asOf, var to) ->
                inside().filter(one -> units(one, ResourceName.election(election)) > 0 && one.fence <= asOf)
                        .filter(one -> succeed(one.requestId, ResourceName.election(election), to, revoked))
                        .forEach(one -> tell(one.requestId, revoked));
        }
    }

    private void keep(RequestId requestId, OperationResult operationResult) {
        if (requestId.number() > member(requestId).settled) {
            member(requestId).said.putIfAbsent(requestId.number(), operationResult);
        }
    }

    private void answer(RequestId requestId, OperationResult operationResult) {
        keep(requestId, operationResult);
        tell(requestId, operationResult);
    }

    private void tell(RequestId requestId, OperationResult operationResult) {
        notification.add(new Notification.Result(requestId.session(), requestId.number(), operationResult));
    }
}
