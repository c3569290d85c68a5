package habemus.lab.diagram.svg;

/** The style sheet of run diagrams, and the script that highlights causes and effects of the step under the mouse. */
final class SvgStyle {

    static final String STYLE = """

            text { font-family: Inter, "Helvetica Neue", Arial, "Liberation Sans", "DejaVu Sans", sans-serif; \
            font-size: 12px; fill: #1f2933; }
            .paper { fill: #fdfdfb; }
            .heading { font-size: 17px; font-weight: 600; }
            .panel { font-size: 11px; fill: #6b7580; letter-spacing: .4px; }
            .legend { fill: #3d4852; }
            .name { font-weight: 600; text-anchor: end; }
            .grid { stroke: #e9ebe6; stroke-width: 1; }
            .axis { stroke: #b9c0c7; stroke-width: 1; }
            .tick { font-size: 11px; fill: #6b7580; text-anchor: middle; }
            .idle-period { font-size: 10px; font-style: italic; fill: #98a1aa; text-anchor: middle; }
            .lane { stroke: #7d8894; stroke-width: 1.6; }
            .paused { stroke: #b4bcc4; stroke-width: 1.6; stroke-dasharray: 1.5 4; stroke-linecap: round; }
            .holding { fill: #2fa866; }
            .leading { fill-opacity: .85; }
            .following { fill-opacity: .28; }
            .lead-bar { fill-opacity: .3; }
            .waiting { fill: #dfe4ea; }
            .down { fill: url(#hatch-down); stroke: #d9d9d9; stroke-width: .5; }
            .paused-bar { fill: url(#hatch-paused); }
            .overlap { fill: #d7263d; }
            .overlap-band { fill: #d7263d; fill-opacity: .1; stroke: #d7263d; stroke-width: 1; stroke-dasharray: 3 2; }
            .overlap-label { fill: #b3122a; font-weight: 600; font-size: 11px; text-anchor: middle; }
            .bar-label { font-size: 11px; }
            .on-dark { fill: #ffffff; font-weight: 600; }
            .cut { fill: url(#hatch-cut); }
            .cut-edge { stroke: #c98a1b; stroke-width: 1; stroke-dasharray: 5 3; }
            .fault-label { fill: #8f5f08; font-size: 11px; }
            .violation { stroke: #d7263d; stroke-width: 1.6; stroke-dasharray: 6 4; }
            .violation-label { fill: #b3122a; font-weight: 700; }
            .arrow line { stroke-width: 1.5; }
            .arrow .duplicate { stroke-dasharray: 6 3; }
            .arrow .application { stroke-dasharray: 2 3; }
            .arrow .in-flight { stroke-dasharray: 1.5 4; stroke-linecap: round; }
            .label { font-size: 10.5px; text-anchor: middle; }
            .label, .crown-label, .suspicion, .fault-label, .violation-label, .idle-period, .tick { stroke: #fdfdfb; \
            stroke-width: 3.5px; stroke-linejoin: round; paint-order: stroke; }
            .cross { stroke: #d7263d; stroke-width: 2.4; stroke-linecap: round; fill: none; }
            .fail { stroke: #d7263d; stroke-width: 1.8; stroke-linecap: round; fill: none; }
            .restart { fill: #2fa866; stroke: #1c7a47; stroke-width: 1.2; }
            .amnesia { fill: #fdfdfb; stroke: #c98a1b; stroke-width: 1.8; }
            .crown { fill: #f2b705; stroke: #8a6500; stroke-width: 1; stroke-linejoin: round; }
            .crown-label { font-size: 11px; font-weight: 600; fill: #6e5200; }
            .suspicion { font-size: 11px; font-weight: 600; fill: #8f5f08; text-anchor: middle; }
            .wrong { fill: #d7263d; }
            .dot { fill: #37424d; stroke: #fdfdfb; stroke-width: 1.2; }
            .grant { fill: #14753f; stroke: #fdfdfb; stroke-width: 1.5; }
            .hover { fill: transparent; }
            .step { cursor: pointer; }
            .arrow:hover line { stroke-width: 3; }
            .tracing .arrow, .tracing .step, .tracing .label { opacity: .12; }
            .tracing .past, .tracing .future, .tracing .here { opacity: 1; }
            .tracing .past .dot, .tracing .past .grant { fill: #0b57d0; }
            .tracing .future .dot, .tracing .future .grant { fill: #e8710a; }
            .tracing .here .dot, .tracing .here .grant { fill: #000000; stroke: #f2b705; stroke-width: 3; }
            """;

    /** Additional rules for dense and aggregated diagrams. */
    static final String DENSE_STYLE = """
            .many line { stroke-width: 1; stroke-opacity: .6; }
            .many .arrow:hover line { stroke-width: 3; stroke-opacity: 1; }
            .tracing .many .past line, .tracing .many .future line { stroke-width: 1.5; stroke-opacity: 1; }
            .activity { fill: #2566b0; }
            .bundle { stroke: #4a5a6a; stroke-linecap: round; }
            .column { font-size: 11px; font-weight: 600; }
            """;

    static final String SCRIPT = """

            (function () {
              var root = document.currentScript && document.currentScript.ownerSVGElement;
              if (!root) { return; }
              var next = {}, before = {}, last = {};
              var steps = Array.from(root.querySelectorAll('[data-step]'));
              var arrows = Array.from(root.querySelectorAll('[data-from]'));
              function edge(a, b) {
                (next[a] = next[a] || []).push(b);
                (before[b] = before[b] || []).push(a);
              }
              steps.forEach(function (s) {
                var node = s.dataset.node;
                if (node in last && !s.dataset.fresh) { edge(last[node], s.dataset.step); }
                last[node] = s.dataset.step;
              });
              arrows.forEach(function (a) { if (a.dataset.to) { edge(a.dataset.from, a.dataset.to); } });
              function reach(edges, start) {
                var seen = {}, todo = [start];
                while (todo.length) {
                  (edges[todo.pop()] || []).forEach(function (s) { if (!seen[s]) { seen[s] = true; todo.push(s); } });
                }
                return seen;
              }
              function show(step) {
                var past = reach(before, step), future = reach(next, step);
                root.classList.add('tracing');
                steps.forEach(function (s) {
                  s.classList.toggle('past', !!past[s.dataset.step]);
                  s.classList.toggle('future', !!future[s.dataset.step]);
                  s.classList.toggle('here', s.dataset.step === step);
                });
                arrows.forEach(function (a) {
                  a.classList.toggle('past', a.dataset.to === step || !!past[a.dataset.to]);
                  a.classList.toggle('future', a.dataset.from === step || !!future[a.dataset.from]);
                });
              }
              steps.forEach(function (s) {
                s.addEventListener('mouseenter', function () { show(s.dataset.step); });
                s.addEventListener('mouseleave', function () { root.classList.remove('tracing'); });
              });
            })();
            """;

    private SvgStyle() {}
}
