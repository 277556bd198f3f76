/**
 * All the script that a report has: it searches and sorts the table of payouts. It reads texts and sets texts, and never
 * makes markup of them. Without it the page shows the same.
 */
export const pageScript = `'use strict';
(() => {
  const table = document.getElementById('payouts');
  const search = document.getElementById('search');
  const found = document.getElementById('found');
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  const valueOf = (row, column) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
  document.getElementById('tools').hidden = false;
  search.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, place) => {
      row.hidden = !words.every((word) => texts[place].includes(word));
      if (!row.hidden) count += 1;
    });
    found.textContent = words.length === 0 ? '' : count.toLocaleString('en') + ' of ' + rows.length.toLocaleString('en') + ' rows match the search; the others are not shown.';
  });
  Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
    // No button element: browsers leave those out of the head of a table where they repeat it on a printed page.
    const button = document.createElement('span');
    button.setAttribute('role', 'button');
    button.tabIndex = 0;
    button.textContent = head.textContent;
    head.replaceChildren(button);
    const sort = () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const sorted = rows.slice().sort((one, other) => {
        const [left, right] = [valueOf(one, column), valueOf(other, column)];
        if (left === '' || right === '') return (left === '') - (right === '');
        return down ? compare(right, left) : compare(left, right);
      });
      body.append(...sorted);
    };
    button.addEventListener('click', sort);
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      sort();
    });
  });
})();
`;
