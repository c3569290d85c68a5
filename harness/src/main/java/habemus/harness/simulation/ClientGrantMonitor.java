package habemus.harness.simulation;

import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.table.Notification;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks the grants of the service as a bookkeeper who trusts no table: from the commands in their order and from the
 * results, it knows who waits and who holds.
 */
final class ClientGrantMonitor {

    private enum Phase {
        NEW,
        WAITING,
        HOLDING,
        ENDED
    }

    /** A request of a client. */
    private static final class Request {
        private final RequestId id;
        private final Operation operation;
        private final long order; // of the first command of this request
        private Phase phase = Phase.NEW;
        private long fence;

        Request(RequestId id, Operation operation, long order) {
            this.id = id;
            this.operation = operation;
            this.order = order;
        }

        List<ResourceShare> shares() {
            return operation instanceof Operation.Acquire acquire ? acquire.shares() : List.of();
        }

        private int rank() {
            return operation instanceof Operation.Acquire acquire ? acquire.rank() : 0;
        }
    }

    /** A lock, semaphore or election. */
    private static final class Resource {
        private final List<Request> waiters = new ArrayList<>();
        private long unitsInUse;
        private long lastFence;
        private long lastExclusiveFence;
        private long lapsedSession; // whose hold has expired, until the next grant
    }

    private final ServiceWorld world;
    private final NavigableMap<RequestId, Request> requests = new TreeMap<>();
    private final Map<ResourceName, Resource> resources = new TreeMap<>();
    private final Set<Long> revokedFences = new HashSet<>();
    private final Map<Long, Long> predecessors = new HashMap<>(); // sessions by the nonces of those that replace them
    private final Set<Long> replacedSessions = new HashSet<>();
    private boolean isAdministered; // by the batch
    private boolean isTransferred; // leadership, by the batch
    private long lastFence;

    ClientGrantMonitor(ServiceWorld world) {
        this.world = world;
    }

    /** A batch of commands is committed. */
    void onCommitted(CommandBatch batch, List<Notification> notifications) {
        isAdministered = false;
        isTransferred = false;
        batch.commands().forEach(this::onCommand);
        for (var notification : notifications) {
            switch (notification) {
                case Notification.Result(var session, var number, var result) ->
                    onResult(request(new RequestId(session, number)), result);
                case Notification.SessionExpired(var session) -> onSessionEnded(session);
                case Notification.SessionOpened(var nonce, var session) -> {
                    world.count(ServiceSituation.SESSION_OPENED);
                    Optional.ofNullable(predecessors.get(nonce)).ifPresent(replacedSessions::add);
                }
                case Notification.SessionRefused refused -> world.count(ServiceSituation.QUOTA_FULL);
                case Notification.SessionRenewed renewed -> {}
                case Notification.ResourceChanged changed -> {}
            }
        }
    }

    private Request request(RequestId id) {
        return requests.computeIfAbsent(id, any -> new Request(id, new Operation.Close(), 0));
    }

    private Resource resource(ResourceName name) {
        return resources.computeIfAbsent(name, any -> new Resource());
    }

    private void onCommand(Command command) {
        switch (command) {
            case Command.Submit(var session, var number, var acknowledged, var operation) -> {
                isTransferred |= operation instanceof Operation.Transfer;
                var id = new RequestId(session, number);
                if (requests.putIfAbsent(id, new Request(id, operation, requests.size())) != null) {
                    world.count(ServiceSituation.DUPLICATE);
                }
            }
            case Command.AdminCommand admin -> {
                isAdministered = true;
                isTransferred |= admin.action() instanceof Command.AdminAction.Transfer;
            }
            case Command.OpenSession open -> {
                if (open.origin() instanceof SessionOrigin.Successor successor) {
                    predecessors.put(open.nonce(), successor.session());
                }
            }
            case Command other -> {}
        }
    }

    private void onResult(Request request, OperationResult result) {
        boolean takesEffect = result instanceof OperationResult.Waiting || result instanceof OperationResult.Granted;
        if (takesEffect && replacedSessions.contains(request.id.session())) {
            world.violate(
                    ServiceProperty.EXACTLY_ONCE, () -> request.id + " takes effect after its session was replaced");
        }
        switch (result) {
            case OperationResult.Waiting waiting -> onWaiting(request);
            case OperationResult.Granted(var fence) -> onGranted(request, fence);
            case OperationResult.Released released -> onReleased(request);
            case OperationResult.Busy busy -> {
                world.count(ServiceSituation.BUSY);
                end(request);
            }
            case OperationResult.Cancelled cancelled -> end(request);
            case OperationResult.Revoked revoked -> {
                world.count(ServiceSituation.REVOKED);
                revokedFences.add(request.fence);
                end(request);
            }
            case OperationResult.Rejected(var reason) -> {
                if (!reason.quota().isEmpty()) {
                    world.count(ServiceSituation.QUOTA_FULL);
                }
                end(request);
            }
            case OperationResult.Closed closed -> end(request);
        }
    }

    private void onWaiting(Request request) {
        if (request.phase == Phase.NEW) {
            request.phase = Phase.WAITING;
            request.shares().forEach(share -> resource(share.name()).waiters.add(request));
        } else if (request.phase != Phase.WAITING) {
            world.violate(ServiceProperty.EXACTLY_ONCE, () -> request.id + " waits again");
        }
    }

    private void onGranted(Request request, long fence) {
        if (request.phase == Phase.HOLDING && request.fence == fence) {
            return; // the answer to a repeated request
        }
        if (request.phase == Phase.HOLDING || request.phase == Phase.ENDED) {
            world.violate(
                    ServiceProperty.EXACTLY_ONCE,
                    () -> request.id + " is granted with fence " + fence + " after fence " + request.fence);
            return;
        }
        world.count(request.phase == Phase.NEW ? ServiceSituation.GRANTED : ServiceSituation.HANDED_OVER);
        checkOrder(request);
        for (var share : request.shares()) {
            resource(share.name()).waiters.remove(request);
            checkFence(share, request, fence);
            checkBelief(share, request);
        }
        lastFence = Math.max(lastFence, fence);
        request.phase = Phase.HOLDING;
        request.fence = fence;
    }

    private void checkOrder(Request request) {
        for (var share : request.shares()) {
            for (var waiter : resource(share.name()).waiters) {
                boolean isEarlier = waiter.rank() > request.rank()
                        || waiter.rank() == request.rank() && waiter.order < request.order;
                if (waiter != request && isEarlier && !isTransferred) {
                    world.violate(
                            ServiceProperty.FIFO_WAITERS,
                            () -> request.id + " is granted " + share.name() + " before " + waiter.id);
                }
            }
        }
    }

    private void checkFence(ResourceShare share, Request request, long fence) {
        var resource = resource(share.name());
        boolean isExclusive = share.units() == share.size();
        boolean isLarger =
                fence >= lastFence && fence > (isExclusive ? resource.lastFence : resource.lastExclusiveFence);
        resource.unitsInUse += share.units();
        if (!isLarger || resource.unitsInUse > share.size()) {
            world.violate(
                    ServiceProperty.FENCED_EXCLUSION,
                    () -> request.id + " is granted " + share.name() + " with fence " + fence + " after fence "
                            + resource.lastFence + ", " + resource.unitsInUse + " of " + share.size() + " in use");
        }
        resource.lastFence = fence;
        if (isExclusive) {
            resource.lastExclusiveFence = fence;
        }
        if (resource.lapsedSession != 0 && resource.lapsedSession != request.id.session()) {
            world.count(ServiceSituation.LOST_THEN_REGRANTED);
        }
        resource.lapsedSession = 0;
    }

    /** No running client still believes in a hold that the new one excludes. */
    private void checkBelief(ResourceShare share, Request request) {
        long believed = share.units();
        for (var client : world.clients()) {
            believed += client.believedUnits(share.name(), revokedFences);
        }
        if (believed > share.size()) {
            world.violate(
                    ServiceProperty.NOTIFIED_BEFORE_REGRANTED,
                    () -> request.id + " is granted " + share.name() + ", but held: "
                            + world.clients().stream()
                                    .filter(client -> client.believedUnits(share.name(), revokedFences) > 0)
                                    .map(ClientProcess::toString)
                                    .toList());
        }
    }

    private void onReleased(Request request) {
        switch (request.operation) {
            case Operation.Release(var number, var fence) -> {
                var acquire = request(new RequestId(request.id.session(), number));
                if (acquire.phase != Phase.ENDED) {
                    boolean isHold = acquire.phase == Phase.HOLDING;
                    world.count(isHold ? ServiceSituation.RELEASED : ServiceSituation.CANCELLED);
                }
                end(acquire);
                end(request);
            }
            case Operation.Transfer(var number, var to) -> {
                if (request.phase == Phase.NEW) {
                    world.count(ServiceSituation.TRANSFERRED);
                    var leading = request(new RequestId(request.id.session(), number));
                    revokedFences.add(leading.fence);
                    end(leading);
                    end(request);
                }
            }
            case Operation other -> {} // the answer to a repeated request
        }
    }

    private void onSessionEnded(long session) {
        boolean isExpiry = false;
        var all = requests.subMap(new RequestId(session, 0), true, new RequestId(session, Long.MAX_VALUE), true);
        for (var request : all.values()) {
            isExpiry |= request.phase == Phase.HOLDING || request.phase == Phase.WAITING;
            if (request.phase == Phase.HOLDING) {
                request.shares().forEach(share -> resource(share.name()).lapsedSession = session);
                if (isAdministered) {
                    revokedFences.add(request.fence);
                }
            }
            end(request);
        }
        if (isExpiry) {
            world.count(ServiceSituation.SESSION_EXPIRED);
        }
    }

    private void end(Request request) {
        for (var share : request.shares()) {
            if (request.phase == Phase.HOLDING) {
                resource(share.name()).unitsInUse -= share.units();
            } else if (request.phase == Phase.WAITING) {
                resource(share.name()).waiters.remove(request);
            }
        }
        request.phase = Phase.ENDED;
    }

    /** Whether a request holds with this fence, as far as the log says. */
    boolean isHeld(long fence) {
        return requests.values().stream().anyMatch(request -> request.phase == Phase.HOLDING && request.fence == fence);
    }
}
