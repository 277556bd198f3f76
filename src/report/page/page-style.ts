import type { EnvironmentKind } from '../../domain/environment/environment.ts';

/** Colours that people tell apart who do not see all of them (after Okabe and Ito); dark text on white. */
const statusColours = `
.s-paid{fill:#0072b2}.s-pending{fill:#56b4e9}.s-unknown{fill:#cc79a7}.s-not_sent{fill:#b8bec6}.s-held{fill:#e69f00}
.s-failed{fill:#d55e00}.s-refused{fill:#8f3d00}.s-returned{fill:#f0e442}.s-cancelled{fill:#7a828c}.s-invalid{fill:#1c1f23}`;

const screen = `
*{box-sizing:border-box}
html{background:#fff;color:#1c1f23;font:15px/1.5 "Source Sans 3","Segoe UI","Helvetica Neue",Helvetica,Arial,"Noto Sans","Liberation Sans",sans-serif;-webkit-text-size-adjust:100%}
body{max-width:1160px;margin:0 auto;padding:40px 32px 64px}
h1{margin:0;font-size:32px;line-height:1.2;font-weight:600;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{margin:0 0 12px;font-size:18px;line-height:1.3;font-weight:600;overflow-wrap:anywhere}
p{margin:0 0 8px}
section{margin-top:40px}
code{font:12.5px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;overflow-wrap:anywhere}
.quiet,.note{color:#555d66}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.head{display:flex;gap:32px;justify-content:space-between;align-items:flex-start;border-bottom:2px solid #1c1f23;padding-bottom:20px}
.kicker{margin:0 0 4px;color:#555d66;font-size:13px;letter-spacing:.06em;text-transform:uppercase}
.sub{margin:8px 0 0;color:#555d66;overflow-wrap:anywhere}
.env{flex:none;margin:0;padding:10px 18px 8px;border:3px solid #1c1f23;text-align:center;font-size:38px;line-height:1.05;font-weight:700;letter-spacing:.04em}
.env small{display:block;margin-top:4px;font-size:13px;font-weight:400;letter-spacing:0}
.env-live{background:#1c1f23;color:#fff}
.env-test,.env-sandbox{border-style:dashed;color:#1c1f23}
.alarm{margin-top:24px;padding:14px 18px;border:3px solid #b00020;color:#8a0019}
.alarm p{margin:0;font-weight:600;overflow-wrap:anywhere}
.lead{margin:24px 0 0;font-size:22px;line-height:1.35}
.lead small{display:block;color:#555d66;font-size:15px}
.overview{display:grid;grid-template-columns:minmax(320px,380px) 1fr;gap:0 48px}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(310px,1fr));gap:20px}
.card{border:1px solid #d4d9df;border-radius:6px;padding:16px 18px}
.card-title{margin:0;color:#555d66}
.figure{margin:0 0 10px;font-size:30px;line-height:1.2;font-weight:600;font-variant-numeric:tabular-nums}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:600}
th,td{padding:6px 18px 6px 0;vertical-align:top}
th:last-child,td:last-child{padding-right:0}
.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.id,.time,.status{white-space:nowrap;font-variant-numeric:tabular-nums}
.ledger th,.plain th{font-weight:400}
.ledger th,.ledger td{padding-top:3px;padding-bottom:3px}
.ledger tfoot tr:first-child th,.ledger tfoot tr:first-child td{border-top:1px solid #1c1f23;font-weight:600}
.lines th{border-bottom:1px solid #1c1f23;font-size:13px;vertical-align:bottom}
.lines td{border-bottom:1px solid #e3e7eb}
.diff{max-width:760px}
.diff th:nth-child(2),.diff th:nth-child(3){width:26%}
.group th{padding-top:16px;font-size:15px;border-bottom:1px solid #e3e7eb}
.any{overflow-wrap:anywhere}
.legend{width:auto}.legend th{white-space:nowrap}
.legend th,.legend td{padding:3px 24px 3px 0}
.evidence th{width:15rem;color:#555d66;padding-right:20px}
.evidence td{overflow-wrap:anywhere}
.evidence th,.evidence td{padding-top:3px;padding-bottom:3px}
.evidence+p{margin-top:10px}
.wide{overflow-x:auto}
.bar{display:block;width:100%;height:30px;margin-bottom:14px}
.mark{width:11px;height:11px;margin-right:8px;vertical-align:-1px}
.chart{display:flex;gap:8px;align-items:flex-start}
.chart svg{display:block;flex:1;min-width:0;height:120px;border-bottom:1px solid #1c1f23}
.axis{min-width:24px;text-align:right;color:#555d66;font-size:12px;line-height:1.2;font-variant-numeric:tabular-nums}
.ends{padding-left:32px;display:flex;justify-content:space-between;margin:4px 0 8px;color:#555d66;font-size:13px}
.keys .mark:not(:first-child){margin-left:18px}
.share{width:18%}
.share-bar{display:block;width:100%;height:10px;margin-top:6px}
.signs{display:grid;grid-template-columns:repeat(3,1fr);gap:32px}
.who{margin:0;font-weight:600}
.rule{margin:34px 0 0;padding-top:3px;border-top:1px solid #1c1f23;color:#555d66;font-size:12px}
.tools{display:flex;gap:10px;align-items:center;margin:0 0 8px}
.tools[hidden]{display:none}
#search{flex:1;max-width:26rem;padding:7px 10px;border:1px solid #7a828c;border-radius:4px;font:inherit}
#search:focus,[role=button]:focus-visible{outline:2px solid #0072b2;outline-offset:1px}
#payouts{font-size:14px}
#payouts td{padding-top:4px;padding-bottom:4px}
th [role=button]{cursor:pointer}
th [role=button]:hover{text-decoration:underline}
th[aria-sort=ascending] [role=button]::after{content:" \\2191"}
th[aria-sort=descending] [role=button]::after{content:" \\2193"}
@media screen and (max-width:900px){.overview{grid-template-columns:1fr}}
@media (max-width:640px){body{padding:20px 16px}.head{flex-direction:column-reverse;gap:16px}.signs{grid-template-columns:1fr}}`;

const print = `
@media print{
html{font-size:9.5pt;line-height:1.35}
body{max-width:none;padding:0}
h1{font-size:20pt}h2{font-size:12.5pt;break-after:avoid}
section{margin-top:18pt}
.env{font-size:26pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.lead{font-size:14pt}.lead small{font-size:10pt}.figure{font-size:19pt}
svg{-webkit-print-color-adjust:exact;print-color-adjust:exact}
code{font-size:8.5pt}
.wide{overflow:visible}
.tools,.tools[hidden]{display:none}
.cards{grid-template-columns:repeat(2,1fr);gap:10pt}.overview{grid-template-columns:72mm 1fr;gap:0 10mm}.overview .cards{grid-template-columns:1fr}.overview .legend th,.overview .legend td{padding-right:8pt}
.card,.signatures,.together,tr,.chart,.bar{break-inside:avoid}
thead{display:table-header-group}
tfoot{display:table-row-group}
.annex{page:annex;break-before:page;margin-top:0}
.mark{width:7pt;height:7pt;margin-right:4pt}
.lines{font-size:9pt}.lines th,.group th{font-size:8.5pt}
.lines th,.lines td{padding-top:2.5pt;padding-bottom:2.5pt}
#payouts,#payouts th{font-size:7.5pt}
#payouts td,#payouts th{padding-top:1.5pt;padding-bottom:1.5pt}
th,td{padding-right:8pt}
#payouts th,#payouts td{padding-right:5pt}
}`;

const notes: Readonly<Record<EnvironmentKind, string>> = {
  live: 'LIVE',
  test: 'TEST: no real money moved',
  sandbox: 'SANDBOX: no real money moved',
};

/** Every printed page says where the money moved, and which page of how many it is. Nothing of the batch stands here. */
export function pageStyle(kind: EnvironmentKind): string {
  const page = `
@page{size:A4;margin:16mm 14mm 16mm;@top-right{content:"${notes[kind]}";font:600 9pt sans-serif}@bottom-left{content:"payrun: payout report";font:8pt sans-serif;color:#555d66}@bottom-right{content:counter(page) " / " counter(pages);font:8pt sans-serif;color:#555d66}}
@page annex{size:A4 landscape}`;
  return `${screen}${statusColours}${print}${page}\n`;
}
